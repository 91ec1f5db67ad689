import { CountersignError } from '@countersign/protocol'

export function toCountersignError(error: unknown): CountersignError {
  if (error instanceof CountersignError) return error
  return new CountersignError('OtherCause', error instanceof Error ? error.message : String(error), { cause: error })
}
