import type { Hex } from '../../nodes/Chain.ts'
import type { Pool } from '../pairs/listPools.ts'

/** What one whole token costs in a pool, in the smallest unit of the other token. */
export function priceIn(pool: Pool, token: Hex, decimals: number): bigint {
  const one = 10n ** BigInt(decimals)
  const first = pool.token0 === token
  if (pool.sqrtPriceX96 !== undefined) {
    const square = pool.sqrtPriceX96 ** 2n
    return first ? (one * square) >> 192n : (one << 192n) / square
  }
  return first ? (one * pool.reserve1) / pool.reserve0 : (one * pool.reserve0) / pool.reserve1
}

/** How much of the other token the pool holds: how much it would take to move the price. */
export const depthOf = (pool: Pool, token: Hex): bigint => (pool.token0 === token ? pool.reserve1 : pool.reserve0)

/** What a token is traded for in a pool. */
export const otherOf = (pool: Pool, token: Hex): Hex | undefined => {
  if (pool.token0 === token) return pool.token1
  return pool.token1 === token ? pool.token0 : undefined
}
