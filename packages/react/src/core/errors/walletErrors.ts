import { CountersignError } from '@countersign/protocol'

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
    const details = hash ? `The transaction ${hash} is on the chain but was reverted.` : 'Nothing was sent.'
    super('OtherCause', `The contract reverted: ${reason}`, { reason: 'contractReverted', cause, details })
    this.revertReason = reason
    this.errorName = errorName
    this.args = args
    this.data = data
    this.hash = hash
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
      details: `Switch it with switchChain(client, { chainId: ${chainId} }) and try again.`,
    })
    this.chainId = chainId
    this.walletChainId = walletChainId
  }
}
