import { CountersignError } from '@countersign/protocol'
import type { Client } from '../../client/Client.ts'
import { untilAborted } from '../../errors/errors.ts'
import { UserRejectedError } from '../../errors/reasonErrors.ts'
import { ProviderError } from '../../errors/walletErrors.ts'
import type { Eip1193Provider, Signer } from '../../state/Connector.ts'
import { missingWallet } from '../proof/missingWallet.ts'

/** A JSON-RPC call to a wallet. Its refusal keeps code and data. */
export function askProvider(
  provider: Eip1193Provider,
  method: string,
  params: readonly unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  const call = () =>
    provider.request({ method, params }).catch((cause) => {
      throw new ProviderError(cause)
    })
  return untilAborted(call, signal).catch(toWalletError)
}

/** The JSON-RPC of the connected wallet. */
export function requireProvider({ internal }: Client): Eip1193Provider {
  const state = internal.wallet.get()
  if (state.status !== 'connected' || !state.provider) throw missingWallet()
  return state.provider
}

/** Throws a wallet's error as ours. The original, with its code and data, is the cause. */
export function toWalletError(error: unknown): never {
  if (error instanceof CountersignError) throw error
  const cause = error instanceof Error ? error : new ProviderError(error)
  const { code, message } = readWalletFailure(cause)
  const details =
    code === undefined ? 'The wallet returned no error code.' : `The wallet returned the error code ${code}.`
  if (rejections.has(code) || saysRejected(message)) {
    throw new UserRejectedError(cause.message, { cause, details })
  }
  // A failing node counts as a failing server: readings retry it.
  const isTransient = cause instanceof ProviderError && !isRefusal(cause)
  const { retryAfter } = Object(cause.cause)
  const rateLimit = typeof retryAfter === 'number' && { rateLimit: { retryAfter } }
  throw new CountersignError('OtherCause', cause.message, {
    cause,
    details,
    ...(isTransient && { status: 503, ...rateLimit }),
  })
}

/** EIP-1193: the account is not shared, the method is unknown. JSON-RPC: the call itself is wrong; 3: it reverted. */
const refusals = new Set<unknown>([3, 4100, 4200, 4902, -32600, -32601, -32602])

/** Returns true for a decision of the wallet or the contract: a retry gets the same result. */
function isRefusal({ code, data, message }: ProviderError): boolean {
  return refusals.has(code) || data !== undefined || /revert/i.test(message)
}

/** Detects a rejection in the message: some libraries drop the code. A contract's revert does not count. */
function saysRejected(message: string): boolean {
  return /user (rejected|denied|cancell?ed|refused)/i.test(message) && !/revert/i.test(message)
}

/** Rejection codes of EIP-1193, WalletConnect, and libraries in between. */
const rejections = new Set<unknown>([4001, 5000, 5001, 'ACTION_REJECTED'])

/** The wallet's innermost error: libraries wrap it, and some drop its code. */
export function readWalletFailure(error: Error): { code: unknown; message: string } {
  let code: unknown
  let { message } = error
  let cause: unknown = error
  for (let depth = 0; depth < 5 && typeof cause === 'object' && cause !== null; depth++) {
    const answer: { code?: unknown; message?: unknown; cause?: unknown } = cause
    if (!(cause instanceof CountersignError) && answer.code !== undefined) code = answer.code
    if (typeof answer.message === 'string') message = answer.message
    cause = answer.cause
  }
  return { code, message }
}

/** EVM addresses are the same in every spelling of their letters; Solana's are case-sensitive. */
export function isSameAddress(namespace: Signer['namespace'], a: string | undefined, b: string | undefined): boolean {
  return namespace === 'eip155' ? a?.toLowerCase() === b?.toLowerCase() : a === b
}

/** The wallet is connected and shares no account. */
export function missingAccount(): CountersignError {
  return new CountersignError('OtherCause', 'Cannot authenticate, no account returned from provider', {
    details: 'The wallet is locked, or shares no account with this page. Unlock it and connect again.',
  })
}
