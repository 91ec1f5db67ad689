import type { WireFields, WireValue } from '@countersign/protocol'

/** The parts of JSON Schema that the server writes. */
export type JsonSchema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  items?: JsonSchema
  properties?: { [name: string]: JsonSchema }
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  description?: string
  default?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  $ref?: string
}

/** Limits of every number, which say nothing about a field. */
const widest = Number.MAX_SAFE_INTEGER

/** The type in one line, as a programmer would write it: the same in every language. */
export function writeType(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(writeType))].join(' | ')
  if (schema.type === 'array') {
    const item = schema.items ? writeType(schema.items) : 'any'
    return `${/[| ]/.test(item) ? `(${item})` : item}[]${limit(undefined, schema.maxItems)}`
  }
  const name = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'any')
  return `${name}${limit(schema.minLength ?? schema.minimum, schema.maxLength ?? schema.maximum)}`
}

function limit(least: number | undefined, most: number | undefined): string {
  const from = least !== undefined && least > 0 && Math.abs(least) < widest ? `≥ ${least}` : ''
  const to = most !== undefined && most < widest ? `≤ ${most}` : ''
  return from || to ? ` (${[from, to].filter(Boolean).join(', ')})` : ''
}

export type SchemaField = { name: string; schema: JsonSchema; isRequired: boolean }

/** The named fields of an object, in the order in which they were written. */
export function listFields({ properties = {}, required = [] }: JsonSchema): SchemaField[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }))
}

/** Returns true if an object accepts more than its named fields. */
export function isOpen({ additionalProperties, type }: JsonSchema): boolean {
  if (typeof additionalProperties === 'object') return true
  return additionalProperties === true || type === undefined
}

/** Kind of a field's input: one of a few values, a text, a number, JSON or else a text, or JSON. */
export function kindOf(schema: JsonSchema): 'choice' | 'text' | 'number' | 'loose' | 'json' {
  if (schema.enum || schema.type === 'boolean') return 'choice'
  if (schema.type === 'string') return 'text'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  return takesText(schema) ? 'loose' : 'json'
}

/** Returns true if text is allowed. */
function takesText({ type, anyOf, oneOf }: JsonSchema): boolean {
  const choices = anyOf ?? oneOf ?? []
  return type === 'string' || (Array.isArray(type) && type.includes('string')) || choices.some(takesText)
}

export function listChoices(schema: JsonSchema): unknown[] {
  return schema.enum ?? [true, false]
}

/** Parses the text of a field. Throws if it is invalid. */
export function readField(schema: JsonSchema, text: string): WireValue {
  switch (kindOf(schema)) {
    case 'text':
      return text
    case 'number': {
      const read = Number(text)
      if (text.trim() === '' || !Number.isFinite(read)) throw new Error('no number')
      return read
    }
    case 'loose':
      return findJson(text) ?? text
    default:
      return JSON.parse(text)
  }
}

function findJson(text: string): WireValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text of a value, which `readField` makes the same value of. */
export function writeField(schema: JsonSchema, value: WireValue): string {
  const kind = kindOf(schema)
  const isPlain = kind === 'text' || (kind === 'loose' && findJson(String(value)) === undefined)
  return isPlain && typeof value === 'string' ? value : JSON.stringify(value)
}

/** An object of JSON. Throws where the text is something else. */
export function readObject(text: string): WireFields {
  if (text.trim() === '') return {}
  const read: unknown = JSON.parse(text)
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new Error('no object')
  return read as WireFields
}
