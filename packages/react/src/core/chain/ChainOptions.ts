import type { Address, Hash, TransactionReceipt } from 'viem'
import type { ProviderLike } from './ethers.ts'

/** By what, and on which chain, a call is made. */
export type ChainOptions = {
  /** The connected wallet's by default. With one of your own, no wallet needs to be connected. */
  readonly provider?: ProviderLike
  /** The account that calls; the wallet's own by default. */
  readonly account?: Address
  /**
   * The chain that the call is for. Where the wallet is on another one, a contract is read by a node of the client's
   * `chains`; without one, and for all that is sent, it is refused with a `WrongChainError`.
   */
  readonly chainId?: number
}

export type SendOptions = ChainOptions & {
  /** Waits until the transaction is on the chain; with a number, until that many blocks hold it. Off by default. */
  readonly wait?: boolean | number
  /** Milliseconds that it is waited for; ten minutes by default. */
  readonly timeout?: number
  /** Called with the hash as soon as the wallet gives it, and again where its owner has it sent for another price. */
  readonly onHash?: (hash: Hash) => void
}

export type SentTransaction = {
  readonly hash: Hash
  /** Where it was waited for. */
  readonly receipt?: TransactionReceipt
}
