import type { Address, Hash, Hex } from 'viem'
import type { ChainOptions } from './ChainOptions.ts'
import type { IntegerLike } from './ethers.ts'

/** One of several calls: as it goes onto the chain, or by a function of a contract. */
export type WalletCall =
  | { readonly to: Address; readonly data?: Hex; readonly value?: IntegerLike }
  | {
      readonly address: Address
      readonly abi: readonly unknown[]
      readonly functionName: string
      readonly args?: readonly unknown[]
      readonly value?: IntegerLike
    }

export type SendCallsInput = ChainOptions & {
  readonly calls: readonly WalletCall[]
  /** Wishes to the wallet by their names in EIP-5792, such as `{ paymasterService: { url } }`. */
  readonly capabilities?: { readonly [name: string]: unknown }
}

/** Id for `getCallsStatus`. */
export type SentCalls = { readonly id: string }

export type CallsStatus = {
  readonly status: 'pending' | 'success' | 'failure'
  /** All calls were one transaction, or none of them counts. */
  readonly isAtomic: boolean
  readonly receipts: readonly { readonly transactionHash: Hash; readonly status: 'success' | 'reverted' }[]
}

/** Abilities of a wallet by chain and by their names in EIP-5792. */
export type Capabilities = { readonly [chainId: number]: { readonly [name: string]: unknown } }
