import { z } from 'zod'

/** The parts of JSON Schema that the library makes of its schemas. */
type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: { [name: string]: Schema }
  required?: string[]
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  $ref?: string
}

/** A schema as TypeScript: what may be given (`input`), or what comes of it (`output`). */
export function writeSchemaType(schema: z.ZodType, io: 'input' | 'output'): string {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    cycles: 'ref',
    reused: 'inline',
    // JSON has no dates; the wire and both its ends have.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'date') jsonSchema.type = 'date' as 'string'
    },
  })
  return write(made as Schema)
}

function write(schema: Schema): string {
  // A schema that refers to itself has no name here to be called by.
  if (schema.$ref !== undefined) return 'unknown'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(write))].join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => `(${write(part)})`).join(' & ')
  const { type } = schema
  if (Array.isArray(type)) return [...new Set(type.map((one) => write({ ...schema, type: one })))].join(' | ')
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'date':
      return 'Date'
    case 'array':
      return writeList(schema)
    case 'object':
      return writeObject(schema)
    default:
      return 'unknown'
  }
}

function writeList({ items, prefixItems }: Schema): string {
  if (!prefixItems) return `readonly (${items ? write(items) : 'unknown'})[]`
  const rest = items ? [`...(${write(items)})[]`] : []
  return `readonly [${[...prefixItems.map(write), ...rest].join(', ')}]`
}

function writeObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const written = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
    return `readonly ${written}${required.includes(name) ? '' : '?'}: ${write(field)}`
  })
  const others = typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
  // Beside named fields an index signature would have to hold for those, too.
  if (fields.length === 0 && (others || additionalProperties !== false)) {
    fields.push(`readonly [name: string]: ${others ? write(additionalProperties as Schema) : 'unknown'}`)
  }
  return fields.length === 0 ? 'Record<never, never>' : `{ ${fields.join('; ')} }`
}
