import type { BlockRef, Hex } from '../../nodes/Chain.ts'
import type { TokenMetadata } from '../getTokenMetadata.ts'
import type { Pool } from '../pairs/listPools.ts'
import { depthOf, otherOf, priceIn } from './priceIn.ts'
import type { TokenPrice } from './TokenPrice.ts'

const usdDecimals = 18

type Parts = {
  wrapped: Hex
  stablecoins: readonly Hex[]
  pools: readonly Pool[]
  metadata: ReadonlyMap<Hex, TokenMetadata>
  block: BlockRef
}

/** Works prices out of what pools hold. */
export function createPricing({ wrapped, stablecoins, pools, metadata, block }: Parts) {
  const digits = (token: Hex) => metadata.get(token)?.decimals ?? 18
  const toUsd = (stable: Hex, value: bigint) => scale(value, digits(stable), usdDecimals)
  const nativeDigits = digits(wrapped)
  const oneNative = 10n ** BigInt(nativeDigits)

  const nativePool = deepest(
    pools.filter((pool) => isOneOf(stablecoins, otherOf(pool, wrapped))),
    (pool) => toUsd(otherOf(pool, wrapped) ?? wrapped, depthOf(pool, wrapped)),
  )
  const nativeUsd =
    nativePool && toUsd(otherOf(nativePool, wrapped) ?? wrapped, priceIn(nativePool, wrapped, nativeDigits))

  /** In dollars, so that pools with different currencies compare; in the native one where there is no dollar. */
  const worth = (pool: Pool, token: Hex) => {
    const depth = depthOf(pool, token)
    const quote = otherOf(pool, token) ?? wrapped
    if (quote !== wrapped) return toUsd(quote, depth)
    return nativeUsd === undefined ? depth : (depth * nativeUsd) / oneNative
  }

  const sourceOf = (pool: Pool, token: Hex) => ({
    exchange: pool.exchange,
    kind: pool.kind,
    pool: pool.address,
    quote: otherOf(pool, token) ?? wrapped,
    depth: depthOf(pool, token),
  })

  const amounts = (native: bigint | undefined, usd: bigint | undefined) => ({
    native: native === undefined ? undefined : { value: native, decimals: nativeDigits },
    usd: usd === undefined ? undefined : { value: usd, decimals: usdDecimals },
  })

  return (token: Hex, exchange?: string): TokenPrice | undefined => {
    const about = metadata.get(token)
    if (about?.decimals === undefined) return undefined
    if (token === wrapped)
      return {
        token: about,
        ...amounts(oneNative, nativeUsd),
        most: undefined,
        source: nativePool && sourceOf(nativePool, token),
        block,
      }
    const mine = pools.filter(
      (pool) =>
        isOneOf([wrapped, ...stablecoins], otherOf(pool, token)) &&
        (exchange === undefined || pool.exchange === exchange),
    )
    const best = deepest(mine, (pool) => worth(pool, token))
    if (!best) return undefined
    const source = sourceOf(best, token)
    const value = priceIn(best, token, about.decimals)
    const most = isOneOf(stablecoins, token) ? undefined : worth(best, token)
    if (source.quote === wrapped) {
      const usd = nativeUsd === undefined ? undefined : (value * nativeUsd) / oneNative
      return { token: about, ...amounts(value, usd), most, source, block }
    }
    const usd = toUsd(source.quote, value)
    const native = nativeUsd ? (usd * oneNative) / nativeUsd : undefined
    return { token: about, ...amounts(native, usd), most, source, block }
  }
}

const isOneOf = (tokens: readonly Hex[], token: Hex | undefined) => token !== undefined && tokens.includes(token)

function deepest(pools: readonly Pool[], worth: (pool: Pool) => bigint): Pool | undefined {
  let best: Pool | undefined
  let most = 0n
  for (const pool of pools) {
    const value = worth(pool)
    if (value > most) [best, most] = [pool, value]
  }
  return best
}

const scale = (value: bigint, from: number, to: number) =>
  from <= to ? value * 10n ** BigInt(to - from) : value / 10n ** BigInt(from - to)
