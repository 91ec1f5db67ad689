import type {
  ChainAnswer,
  ChainPage,
  ChainRecord,
  NftHoldingRecord,
  PortfolioRecord,
  PriceRecord,
  TokenBalanceRecord,
  TransactionRecord,
  TransferRecord,
} from '@countersign/protocol'
import type { FromWire } from './FromWire.ts'

export type { AvatarRecord as Avatar, TokenRecord as Token } from '@countersign/protocol'

/** What a chain says, with the block that it holds for and where it is from: the node, the cache or the index. */
export type OnChain<Result> = Omit<FromWire<ChainAnswer<never>>, 'result'> & {
  /** SYNCING while the server still reads older blocks, so that something may be lacking. */
  readonly status?: 'SYNCED' | 'SYNCING'
  readonly result: Result
}

/** Rows as far as they were read; `cursor` leads on while there are more. */
export type OnChainPage<Row> = Omit<FromWire<ChainPage<never>>, 'result' | 'page' | 'page_size'> & {
  readonly result: readonly Row[]
}

export type NativeBalance = { readonly balance: bigint; readonly decimals: number; readonly symbol: string }
export type TokenBalance = FromWire<TokenBalanceRecord>
export type TokenPrice = FromWire<PriceRecord>
export type Nft = FromWire<NftHoldingRecord>
export type Transfer = FromWire<TransferRecord>
export type Transaction = FromWire<TransactionRecord>
export type Portfolio = FromWire<PortfolioRecord>
export type ChainInfo = FromWire<ChainRecord>
