import type { TransactionReceipt } from 'viem'
import type { ProviderLike } from '../ethers/toEip1193Provider.ts'

/** By what, and on which chain, a call is made. */
export type ChainChoice = {
  /** The connected wallet's by default. With one of your own, no wallet needs to be connected. */
  readonly provider?: ProviderLike
  /** The account that calls; the wallet's own by default. */
  readonly account?: string
  /** The chain that the call is for. Where the provider is on another one, it is refused with a `WrongChainError`. */
  readonly chainId?: number
}

export type SendChoice = ChainChoice & {
  /** Waits until the transaction is on the chain; with a number, until that many blocks hold it. Off by default. */
  readonly wait?: boolean | number
  /** Milliseconds that it is waited for; ten minutes by default. */
  readonly timeout?: number
  /** Called with the hash as soon as the wallet gives it, and again where its owner has it sent for another price. */
  readonly onHash?: (hash: string) => void
}

export type SentTransaction = {
  readonly hash: string
  /** Where it was waited for. */
  readonly receipt?: TransactionReceipt
}
