import { CountersignError } from '@countersign/protocol'

export type FieldRule = {
  type?: (...parts: never[]) => unknown
  required?: boolean
  default?: unknown
  /** Of a hook: may be set when the object is made, and never again. */
  constant?: boolean
  options?: unknown
  error?: string
}

export function refuse(message: string): never {
  throw new CountersignError('ValidationError', message)
}

/** Whether a value fits its rule. */
export async function validateValue(name: string, value: unknown, { type, options, error }: FieldRule): Promise<void> {
  const wanted = type?.name.toLowerCase()
  const actual = Array.isArray(value) ? 'array' : isDate(value) ? 'date' : typeof value
  if (wanted && wanted !== actual) refuse(`Validation failed. Invalid type for ${name}. Expected: ${wanted}`)
  if (options === undefined) return
  if (typeof options !== 'function') {
    const allowed: unknown[] = Array.isArray(options) ? options : [options]
    if (allowed.includes(value)) return
    return refuse(error ?? `Validation failed. Invalid option for ${name}. Expected: ${allowed.join(', ')}`)
  }
  const invalid = error ?? `Validation failed. Invalid value for ${name}.`
  let result: unknown
  try {
    result = await (options as (value: unknown) => unknown)(value)
  } catch (thrown) {
    const { message } = Object(thrown) as { message?: unknown }
    refuse(error ?? (typeof thrown === 'string' ? thrown : typeof message === 'string' ? message : invalid))
  }
  if (!result && result !== undefined && result !== null) refuse(invalid)
}

function isDate(value: unknown): boolean {
  return value instanceof Date || Reflect.get(Object(value), '__type') === 'Date'
}
