import type { z } from 'zod'

/** Zod internals that the samples need. */
type Known = {
  type: string
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  element?: z.ZodType
  valueType?: z.ZodType
  options?: z.ZodType[]
  shape?: Record<string, z.ZodType>
  values?: unknown[]
  entries?: Record<string, string>
  getter?: () => z.ZodType
  checks?: { _zod: { def: Check } }[]
  format?: string
}

type Check = { check: string; maximum?: number; minimum?: number; value?: number }

export const known = (schema: z.ZodType) => (schema as unknown as { _zod: { def: Known } })._zod.def

/** Limits of a text, list or number. */
export function limitsOf(schema: z.ZodType): { minimum?: number; maximum?: number; isFormatted: boolean } {
  const { checks = [], format } = known(schema)
  const all = checks.map((check) => check._zod.def)
  const maximum = all.map((check) => (check.check === 'less_than' ? check.value : check.maximum)).find(isNumber)
  const minimum = all.map((check) => (check.check === 'greater_than' ? check.value : check.minimum)).find(isNumber)
  return {
    ...(maximum !== undefined && { maximum }),
    ...(minimum !== undefined && { minimum }),
    isFormatted: format !== undefined || all.some(({ check }) => check === 'string_format'),
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Removes wrappers for optional values. */
export function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType, in: before, getter } = known(schema)
  const inner = innerType ?? before ?? getter?.()
  return inner ? unwrap(inner) : schema
}

/** The least that a schema accepts. */
export function sample(given: z.ZodType): unknown {
  const schema = unwrap(given)
  const { type, shape = {}, values, entries, options = [] } = known(schema)
  const { minimum = 0 } = limitsOf(schema)
  if (type === 'object') {
    const needed = Object.entries(shape).filter(([, part]) => !part.safeParse(undefined).success)
    return Object.fromEntries(needed.map(([key, part]) => [key, sample(part)]))
  }
  if (type === 'array') return Array.from({ length: minimum }, () => sample(known(schema).element as z.ZodType))
  if (type === 'union') return sample(options[0] as z.ZodType)
  if (type === 'literal') return values?.[0]
  if (type === 'enum') return Object.values(entries ?? {})[0]
  if (type === 'boolean') return true
  if (type === 'number') return Number.isFinite(minimum) ? Math.max(minimum, 0) : 0
  if (type === 'record') return {}
  const texts = [
    'x'.repeat(Math.max(minimum, 1)),
    '1',
    `0x${'ab'.repeat(20)}`,
    `0x${'ab'.repeat(32)}`,
    '2030-01-31T12:00:00.000Z',
    'https://example.com/x',
    '1'.repeat(32),
    'object.created',
  ]
  return texts.find((text) => given.safeParse(text).success) ?? 'x'
}

/** Names of the fields of an input. */
export function fieldsOf(schema: z.ZodType | undefined): string[] {
  return schema ? Object.keys(known(unwrap(schema)).shape ?? {}) : []
}
