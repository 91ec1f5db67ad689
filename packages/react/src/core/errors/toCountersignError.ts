import { CountersignError } from '@countersign/protocol'

export function toCountersignError(error: unknown): CountersignError {
  if (error instanceof CountersignError) return error
  const isError = error instanceof Error
  return new CountersignError('OtherCause', isError ? error.message : String(error), {
    details: `Thrown by other code${isError ? ` as ${error.name}` : ''}; it is the cause of this error.`,
    cause: error,
  })
}
