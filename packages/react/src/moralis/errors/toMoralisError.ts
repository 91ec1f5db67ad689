import type { CountersignError } from '@countersign/protocol'
import { NotAuthenticatedError as CoreNotAuthenticatedError } from '../../core/errors/NotAuthenticatedError.ts'
import { toCountersignError } from '../../core/errors/toCountersignError.ts'
import { ValidationError as CoreValidationError } from '../../core/errors/ValidationError.ts'
import { NotAuthenticatedError } from './NotAuthenticatedError.ts'
import { ValidationError } from './ValidationError.ts'

/** An error of the core as the class of the older package, where that had one. */
export function toMoralisError(cause: unknown): CountersignError {
  const error = toCountersignError(cause)
  const { message, details } = error
  if (error instanceof CoreValidationError) return new ValidationError(message, { details, cause: error })
  if (error instanceof CoreNotAuthenticatedError) return new NotAuthenticatedError(message, { details, cause: error })
  return error
}
