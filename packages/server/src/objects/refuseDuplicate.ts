import { CountersignError } from '@countersign/protocol'
import { isUniqueViolation } from '../db/databaseErrors.ts'

/** What a unique index refused, as the client is told. */
export function refuseDuplicate(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw new CountersignError('DuplicateValue', 'A duplicate value for a field with unique values was provided', {
    cause: error,
  })
}
