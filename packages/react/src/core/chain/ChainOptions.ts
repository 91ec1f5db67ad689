import type { Address, Hash, Hex, TransactionReceipt } from 'viem'
import type { IntegerLike, ProviderLike } from './ethers.ts'

/** Provider and chain of a call. */
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
  /** Present if the call waited for it. */
  readonly receipt?: TransactionReceipt
}

/** Amounts are whole numbers in the smallest unit. The wallet chooses missing values. */
export type SendTransactionInput = SendOptions & {
  /** Left out, `data` makes a new contract. */
  readonly to?: Address
  readonly data?: Hex
  readonly value?: IntegerLike
  readonly gas?: IntegerLike
  readonly gasPrice?: IntegerLike
  readonly maxFeePerGas?: IntegerLike
  readonly maxPriorityFeePerGas?: IntegerLike
  readonly nonce?: IntegerLike
}

type Receiver = { readonly to: Address }
type Token = { readonly address: Address }

/** Amounts are whole numbers in the smallest unit; `address` is the token's contract. */
export type SendTransferInput = SendOptions &
  (
    | (Receiver & { readonly type?: 'native'; readonly amount: IntegerLike })
    | (Receiver & Token & { readonly type: 'erc20'; readonly amount: IntegerLike })
    | (Receiver & Token & { readonly type: 'erc721'; readonly tokenId: IntegerLike })
    | (Receiver & Token & { readonly type: 'erc1155'; readonly tokenId: IntegerLike; readonly amount: IntegerLike })
  )

/** A transaction as JSON-RPC has it: numbers are hexadecimal. */
export type RawTransaction = {
  readonly to?: string
  readonly data?: Hex
  readonly value?: Hex
  readonly gas?: Hex
  readonly gasPrice?: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
  readonly nonce?: Hex
}
