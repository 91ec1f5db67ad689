import { CountersignError, type CountersignErrorOptions, errorCodes } from '@countersign/protocol'
import { toCountersignError } from '@countersign/react/adapter'
import {
  NotAuthenticatedError as CoreNotAuthenticatedError,
  ValidationError as CoreValidationError,
} from '@countersign/react/core'

/**
 * The base of the older names' errors. It is an error of this package too: code, details and docs are there.
 *
 * @example
 * if (error instanceof ReactMoralisError) console.warn(error.code, error.details)
 */
export class ReactMoralisError extends CountersignError {
  // Older applications check the misspelled flag.
  static isReactMoraliserrpr = true
  override readonly name: string = 'ReactMoralisError'

  constructor(message: string, code: number = errorCodes.OtherCause, options: CountersignErrorOptions = {}) {
    super(code, message, options)
  }
}

/**
 * A hook was used outside `<MoralisProvider>`.
 *
 * @example
 * if (error instanceof NoMoralisContextProviderError) console.error(error.details)
 */
export class NoMoralisContextProviderError extends ReactMoralisError {
  override readonly name: string = 'NoMoralisContextProviderError'

  constructor(message: string) {
    super(message, errorCodes.NotInitialized, {
      details: 'If it is wrapped, check for a second copy (npm ls @countersign/moralis).',
    })
  }
}

/**
 * The operation needs a signed-in user and there is none.
 *
 * @example
 * if (error instanceof NotAuthenticatedError) showToast('Sign in first.')
 */
export class NotAuthenticatedError extends ReactMoralisError {
  override readonly name: string = 'NotAuthenticatedError'

  constructor(message: string, options: CountersignErrorOptions = {}) {
    super(message, errorCodes.SessionMissing, options)
  }
}

/**
 * Input that cannot be right: refused before anything is sent and before the session state moves.
 *
 * @example
 * if (error instanceof ValidationError) showToast(error.message)
 */
export class ValidationError extends ReactMoralisError {
  override readonly name: string = 'ValidationError'

  constructor(message: string, options: CountersignErrorOptions = {}) {
    super(message, errorCodes.ValidationError, options)
  }
}

/** An error of the core as the class of the older package, where that had one. */
export function toMoralisError(cause: unknown): CountersignError {
  const error = toCountersignError(cause)
  const { message, details } = error
  if (error instanceof CoreValidationError) return new ValidationError(message, { details, cause: error })
  if (error instanceof CoreNotAuthenticatedError) return new NotAuthenticatedError(message, { details, cause: error })
  return error
}
