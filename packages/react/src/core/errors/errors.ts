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
        'Wrap the application in <CountersignProvider>. If it is, look for a second copy (npm ls @countersign/react).',
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
 * Why the browser gave no passkey. `passkeyCancelled`: the person said no, or the time ran out, which is no fault. `passkeyKnown`: the
 * device holds a passkey of this account already. `passkeyUnsupported`: this browser, device or address cannot do it.
 */
export type PasskeyErrorReason = 'passkeyCancelled' | 'passkeyKnown' | 'passkeyUnsupported' | 'passkeyFailed'

const sentences: Record<PasskeyErrorReason, string> = {
  passkeyCancelled: 'No passkey was used. The request was canceled or timed out.',
  passkeyKnown: 'This device already has a passkey for your account.',
  passkeyUnsupported: 'Passkeys are not supported by this browser, device or page address.',
  passkeyFailed: 'The passkey could not be used.',
}

const reasons = new Map<unknown, PasskeyErrorReason>([
  ['NotAllowedError', 'passkeyCancelled'],
  ['AbortError', 'passkeyCancelled'],
  ['InvalidStateError', 'passkeyKnown'],
  ['NotSupportedError', 'passkeyUnsupported'],
  ['ConstraintError', 'passkeyUnsupported'],
  ['SecurityError', 'passkeyUnsupported'],
])

/**
 * The browser gave no passkey.
 *
 * @example
 * try {
 *   await signInWithPasskey(client, { throwOnError: true })
 * } catch (error) {
 *   if (error instanceof PasskeyError && error.reason !== 'passkeyCancelled') showToast(error.message)
 * }
 */
export class PasskeyError extends CountersignError {
  override readonly name: string = 'PasskeyError'
  declare readonly reason: PasskeyErrorReason

  /** The reason, or the browser's own error with its name. */
  constructor(cause: 'passkeyUnsupported' | Error) {
    const reason = cause === 'passkeyUnsupported' ? cause : (reasons.get(cause.name) ?? 'passkeyFailed')
    super(
      'OtherCause',
      sentences[reason],
      cause === 'passkeyUnsupported'
        ? { reason, details: 'Passkeys need https, or localhost.' }
        : { reason, cause, details: cause.message },
    )
  }
}

/**
 * A wallet's refusal, with the `code` and the `data` of its JSON-RPC error. 4001: the person rejected it.
 *
 * @example
 * if (error.cause instanceof ProviderError) console.warn(error.cause.code, error.cause.data)
 */
export class ProviderError extends Error {
  override readonly name: string = 'ProviderError'
  readonly code: number | undefined
  readonly data: unknown

  constructor(cause: unknown) {
    const answer: { message?: unknown; code?: unknown; data?: unknown } = Object(cause)
    super(typeof answer.message === 'string' ? answer.message : String(cause), { cause })
    this.code = typeof answer.code === 'number' ? answer.code : undefined
    this.data = answer.data
  }
}

export type Revert = {
  /** In plain words, at most one line. It was written by the contract: show it as text and as nobody's promise. */
  readonly reason: string
  /** The contract's own error, where the ABI names it. */
  readonly errorName?: string
  readonly args?: readonly unknown[]
  /** Revert data of the contract, in hexadecimal. */
  readonly data?: string
  /** The transaction that failed on the chain; absent where the try before sending failed and nothing was sent. */
  readonly hash?: string
}

/**
 * A contract refused a call. The provider's error, with its code and data, is the cause.
 *
 * @example
 * if (error instanceof RevertError) showToast(`The contract says: ${error.revertReason}`)
 */
export class RevertError extends CountersignError {
  override readonly name: string = 'RevertError'
  declare readonly reason: 'contractReverted'
  /** Error message of the contract. */
  readonly revertReason: string
  readonly errorName: string | undefined
  readonly args: readonly unknown[] | undefined
  readonly data: string | undefined
  readonly hash: string | undefined

  constructor({ reason, errorName, args, data, hash }: Revert, cause?: unknown) {
    const details = hash ? `The transaction ${hash} is on the chain and changed nothing.` : 'Nothing was sent.'
    super('OtherCause', `The contract reverted: ${reason}`, { reason: 'contractReverted', cause, details })
    this.revertReason = reason
    this.errorName = errorName
    this.args = args
    this.data = data
    this.hash = hash
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

  constructor(message: string, details = 'It was refused here, and nothing was sent.') {
    super('ValidationError', message, { details })
  }
}

/**
 * The wallet is on another chain than the call is for. Nothing was sent.
 *
 * @example
 * if (error instanceof WrongChainError) await switchChain(client, { chainId: error.chainId })
 */
export class WrongChainError extends CountersignError {
  override readonly name: string = 'WrongChainError'
  declare readonly reason: 'wrongChain'
  /** The chain that is needed, for `switchChain`. */
  readonly chainId: number
  /** The chain that the wallet is on. */
  readonly walletChainId: number

  constructor(chainId: number, walletChainId: number) {
    super('OperationForbidden', `The wallet is on chain ${walletChainId}, but chain ${chainId} is required.`, {
      reason: 'wrongChain',
      params: { chainId, walletChainId },
      details: `Offer to change it, by switchChain(client, { chainId: ${chainId} }), and try again.`,
    })
    this.chainId = chainId
    this.walletChainId = walletChainId
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
    details: 'Its signal was aborted, or nobody waited.',
    cause: reason,
  })
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

/** Returns true for a temporary failure: no connection, a failing server or node, a rate limit. */
export function isTransient(error: CountersignError): boolean {
  return error.code === errorCodes.ConnectionFailed || error.status >= 500 || error.status === 429
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
