import type { ChainRef } from './ChainTypes.ts'

/** The chain: the wallet's if none is given; without a wallet the first of the client's `chains`, or `eth`. */
export type ChainInput = { readonly chain?: ChainRef | undefined }

/** The address: that of the connected wallet if none is given, or else the one that the user signs in with. */
export type AddressInput = ChainInput & { readonly address?: string | undefined }

export type NativeBalanceInput = AddressInput & { readonly block?: number | undefined }

export type TokenBalancesInput = AddressInput & {
  /** Only these contracts; they need not be known to the server before. */
  readonly tokens?: readonly string[] | undefined
  readonly block?: number | undefined
}

export type PageInput = {
  /** How many at once; 500 unless given, and at most. */
  readonly limit?: number | undefined
}

export type NftsInput = AddressInput & PageInput & { readonly tokens?: readonly string[] | undefined }

type RangeInput = {
  readonly fromBlock?: number | undefined
  readonly toBlock?: number | undefined
}

export type TransfersInput = AddressInput &
  PageInput &
  RangeInput & {
    /** All three unless given. */
    readonly kind?: TransferKind | readonly TransferKind[] | undefined
    /** `from` the address, `to` it, or `both` (default). */
    readonly direction?: 'from' | 'to' | 'both' | undefined
    readonly token?: string | undefined
    /** The newest first (`desc`) unless given. */
    readonly order?: 'asc' | 'desc' | undefined
  }

export type TransferKind = 'erc20' | 'erc721' | 'erc1155'

export type TransactionsInput = AddressInput & PageInput & RangeInput

export type TokenInput = ChainInput & { readonly token: string }

export type TokenPriceInput = TokenInput & {
  readonly exchange?: string | undefined
  readonly block?: number | undefined
}

/** Names stand on `eth` unless another chain is given. */
export type AddressOfInput = ChainInput & { readonly name: string }

export type PortfolioInput = {
  readonly address?: string | undefined
  /** All chains with nodes of the operator's unless given. */
  readonly chains?: readonly ChainRef[] | undefined
}
