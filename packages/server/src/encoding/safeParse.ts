import { makeComparable } from '@countersign/protocol/contract'
import type { z } from 'zod'

type Options = z.core.ParseContext<z.core.$ZodIssue>

/** Parses an untrusted value. Only one whose length or size cannot be compared is parsed twice. */
export function safeParse<S extends z.ZodType>(schema: S, value: unknown, options?: Options) {
  try {
    return schema.safeParse(value, options)
  } catch (error) {
    if (!repair(error, value)) throw error
    return schema.safeParse(value, options)
  }
}

/** The same for a schema of an application, which may be asynchronous. */
export async function safeParseAsync<S extends z.ZodType>(schema: S, value: unknown) {
  try {
    return await schema.safeParseAsync(value)
  } catch (error) {
    if (!repair(error, value)) throw error
    return await schema.safeParseAsync(value)
  }
}

/** Returns false if the error is another one. */
function repair(error: unknown, value: unknown): boolean {
  if (!(error instanceof TypeError)) return false
  let isRepaired = false
  const seen = new Set([value])
  for (const next of seen)
    for (const [key, part] of Object.entries(next ?? {})) {
      if (typeof part === 'object') seen.add(part)
      if (makeComparable(key, part)) isRepaired = true
    }
  return isRepaired
}
