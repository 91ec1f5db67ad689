import { CountersignError, errorCodes } from '@countersign/protocol'

/**
 * A hook was used outside `<CountersignProvider>`.
 *
 * @example
 * if (error instanceof MissingProviderError) console.error(error.details)
 */
export class MissingProviderError extends CountersignError {
  override readonly name: string = 'MissingProviderError'
  declare readonly reason: 'notInitialized'

  constructor() {
    super('NotInitialized', 'No <CountersignProvider> was found above this component.', {
      details:
        'Wrap the application in <CountersignProvider>. If it is wrapped, check for a second copy (npm ls @countersign/react).',
    })
  }
}

/**
 * The operation needs a signed-in user and there is none.
 *
 * @example
 * try {
 *   await deleteUser(client)
 * } catch (error) {
 *   if (!(error instanceof NotAuthenticatedError)) throw error
 *   showToast('Sign in first.')
 * }
 */
export class NotAuthenticatedError extends CountersignError {
  override readonly name: string = 'NotAuthenticatedError'
  declare readonly reason: 'sessionMissing'

  constructor(message: string) {
    super('SessionMissing', message, {
      details: 'Sign in first, or wait until the session is authenticated.',
    })
  }
}

/**
 * Input that cannot be right: refused before anything is sent and before the session state moves.
 *
 * @example
 * if (error instanceof ValidationError) showToast(error.message)
 */
export class ValidationError extends CountersignError {
  override readonly name: string = 'ValidationError'

  constructor(message: string, details = 'Rejected before sending; no request was made.') {
    super('ValidationError', message, { details })
  }
}

export function toCountersignError(error: unknown): CountersignError {
  if (error instanceof CountersignError) return error
  const isError = error instanceof Error
  return new CountersignError('OtherCause', isError ? error.message : String(error), {
    details: `Thrown by other code${isError ? ` as ${error.name}` : ''}.`,
    cause: error,
  })
}

/** The caller withdrew the request. */
export function cancelled({ reason }: AbortSignal): CountersignError {
  return new CountersignError('OtherCause', 'The request was canceled.', {
    reason: 'cancelled',
    details: 'Its signal was aborted, or no component needed the result.',
    cause: reason,
  })
}

/** Returns true for a temporary failure: no connection, a failing server or node, a rate limit. */
export function isTransient(error: CountersignError): boolean {
  return error.code === errorCodes.ConnectionFailed || error.status >= 500 || error.status === 429
}

/** Waits for a call that cannot be cancelled itself, such as a wallet's, no longer than until the signal is aborted. */
export function untilAborted<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(cancelled(signal))
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    Promise.resolve(call())
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp))
  })
}

/** Waits, or ends early when the signal is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, milliseconds)
    signal?.addEventListener('abort', finish, { once: true })
    if (signal?.aborted) finish()
  })
}
