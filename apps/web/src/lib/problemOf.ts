import type { CountersignError } from '@countersign/react'
import { describeError } from './describeError.ts'
import type { FormProblem } from './useFormProblem.ts'

/** A refused request as a form's problem; `rename` says under which name the form keeps a field. */
export function problemOf(error: CountersignError, rename: Partial<Record<string, string>> = {}): FormProblem {
  const { message, field, retryAfter } = describeError(error)
  if (!field) return { message, retryAfter }
  return { message, fields: { [rename[field] ?? field]: message } }
}
