import { type ErrorName, errorCodes } from './errorCodes.ts'

export type CountersignErrorOptions = {
  /** Facts for developers: what was received, what was expected, how to mend it. */
  details?: string
  /** The HTTP status, where it is not the usual one of the code. */
  status?: number
  /** Values of the rate-limit headers of a 429 answer (R23). */
  rateLimit?: RateLimit
  cause?: unknown
}

/** Seconds and counts, as the `RateLimit-*` and `Retry-After` headers give them. */
export type RateLimit = { limit?: number; remaining?: number; reset?: number; retryAfter?: number }

/**
 * The one error of the product: a code for machines, a sentence for people, details for developers.
 *
 * @example
 * throw new CountersignError('UsernameTaken', 'Account already exists for this username.')
 */
export class CountersignError extends Error {
  override readonly name: string = 'CountersignError'
  readonly code: number
  readonly status: number
  readonly details: string | undefined
  readonly rateLimit: RateLimit | undefined

  constructor(error: ErrorName | number, message: string, options: CountersignErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = typeof error === 'number' ? error : errorCodes[error]
    this.status = options.status ?? statusOf(this.code)
    this.details = options.details
    this.rateLimit = options.rateLimit
  }

  /** Where the code is explained, in the product's documents. */
  get docs(): string {
    return `docs/errors.md#${this.code}`
  }
}

/** The HTTP status that goes with a code on the wire. Clients repeat a 5xx, so only code 1 has one. */
export function statusOf(code: number): number {
  if (code === errorCodes.InternalServerError) return 500
  if (code === errorCodes.ObjectNotFound) return 404
  if (code === errorCodes.RequestLimitExceeded) return 429
  return 400
}
