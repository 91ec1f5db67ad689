import { type ErrorName, errorCodes } from './errorCodes.ts'
import type { Reason, ReasonParams } from './reasons.ts'
import type { WireFields } from './values.ts'

export type CountersignErrorOptions = {
  /** The stable name that programs compare; by default the name of the code. */
  reason?: Reason
  params?: ReasonParams
  /** Facts for developers: what was received, what was expected, how to fix it. */
  details?: string
  /** The HTTP status, where it is not the usual one of the code. */
  status?: number
  /** Values of the rate-limit headers of a 429 response. */
  rateLimit?: RateLimit
  /** The present object of `objectChanged`, as far as the caller may read it. */
  object?: WireFields
  cause?: unknown
}

/** Seconds and counts, as the `RateLimit-*` and `Retry-After` headers give them. */
export type RateLimit = { limit?: number; remaining?: number; reset?: number; retryAfter?: number }

/**
 * The one error of the product: a reason for programs, a sentence for people, details for developers, and the number
 * that older clients compare.
 *
 * @example
 * throw new CountersignError('UsernameTaken', 'Account already exists for this username.')
 */
export class CountersignError extends Error {
  override readonly name: string = 'CountersignError'
  readonly code: number
  /** A newer server may send one unknown to this version. */
  readonly reason: Reason | (string & Record<never, never>)
  readonly params: ReasonParams | undefined
  readonly status: number
  readonly details: string | undefined
  readonly rateLimit: RateLimit | undefined
  readonly object: WireFields | undefined

  constructor(error: ErrorName | number, message: string, options: CountersignErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = typeof error === 'number' ? error : errorCodes[error]
    this.reason = options.reason ?? reasonOf(this.code)
    this.params = options.params
    this.status = options.status ?? statusOf(this.code)
    this.details = options.details
    this.rateLimit = options.rateLimit
    this.object = options.object
  }

  /** The page of the documentation that explains the reason. */
  get docsUrl(): string {
    return docsUrlOf(this.reason)
  }
}

/** Published with this package, under the one name that is certainly ours. */
const errorsPage = 'https://unpkg.com/@countersign/protocol/errors.md'

export function docsUrlOf(reason: string): string {
  return `${errorsPage}#${reason}`
}

/** The HTTP status that goes with a code on the wire. Clients repeat a 5xx, so only code 1 has one. */
export function statusOf(code: number): number {
  if (code === errorCodes.InternalServerError) return 500
  if (code === errorCodes.ObjectNotFound) return 404
  if (code === errorCodes.RequestLimitExceeded) return 429
  return 400
}

/** Default reason of a code: its name with a small first letter, or `rateLimited`. */
export function reasonOf(code: number): Reason {
  if (code === errorCodes.RequestLimitExceeded) return 'rateLimited'
  const names = Object.keys(errorCodes) as ErrorName[]
  const name = names.find((each) => errorCodes[each] === code) ?? 'OtherCause'
  return name.replace(/^./, (letter) => letter.toLowerCase()) as Reason
}
