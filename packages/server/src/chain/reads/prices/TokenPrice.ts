import type { BlockRef, Hex } from '../../nodes/Chain.ts'
import type { TokenMetadata } from '../getTokenMetadata.ts'

/** A whole token in another currency: `value` in its smallest unit. */
export type Amount = { value: bigint; decimals: number }

export type TokenPrice = {
  token: TokenMetadata
  native: Amount | undefined
  /** In dollars, that is in the stablecoins of the chain. */
  usd: Amount | undefined
  /** What the pool could pay in all, in the unit of `usd`; undefined for what the operator named as a currency. */
  most: bigint | undefined
  /** Where the price is from, and how much of `quote` the pool holds. */
  source: { exchange: string; kind: 'v2' | 'v3'; pool: Hex; quote: Hex; depth: bigint } | undefined
  block: BlockRef
}
