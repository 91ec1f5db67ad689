import type { z } from 'zod'

type Options = z.core.ParseContext<z.core.$ZodIssue>

/**
 * Parses an untrusted value. Zod compares `length` and `size` of values of any type with a limit, which throws for
 * objects that have no number, such as `{ length: { valueOf: 1, toString: 1 } }`: only such a value is parsed twice.
 */
export function safeParse<S extends z.ZodType>(schema: S, value: unknown, options?: Options) {
  try {
    return schema.safeParse(value, options)
  } catch (error) {
    if (!makeComparable(error, value)) throw error
    return schema.safeParse(value, options)
  }
}

/** The same for a schema of an application, which may be asynchronous. */
export async function safeParseAsync<S extends z.ZodType>(schema: S, value: unknown) {
  try {
    return await schema.safeParseAsync(value)
  } catch (error) {
    if (!makeComparable(error, value)) throw error
    return await schema.safeParseAsync(value)
  }
}

/** Gives objects in the places of lengths a number that no limit allows. Returns false if the error is another one. */
function makeComparable(error: unknown, value: unknown): boolean {
  if (!(error instanceof TypeError)) return false
  let isFound = false
  const left = [value]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const [key, part] of Object.entries(next as object)) {
      if (typeof part !== 'object' || part === null) continue
      left.push(part)
      if (key !== 'length' && key !== 'size') continue
      Object.defineProperty(part, Symbol.toPrimitive, { value: () => Number.NaN, configurable: true })
      isFound = true
    }
  }
  return isFound
}
