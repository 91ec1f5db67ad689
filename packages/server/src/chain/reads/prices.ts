import { CountersignError } from '@countersign/protocol'
import type { BlockRef, BlockTag, Chain, Hex, TokenMetadata } from '../nodes/Chain.ts'
import { getNativeBalance } from './nativeBalances.ts'
import { listPools, type Pool } from './pairs.ts'
import { getTokenBalances, getTokenMetadata } from './tokens.ts'

/** A whole token in another currency: `value` in its smallest unit. */
export type Amount = { value: bigint; decimals: number }

export type TokenPrice = {
  token: TokenMetadata
  native: Amount | undefined
  /** In dollars, that is in the stablecoins of the chain. */
  usd: Amount | undefined
  /** Maximum that the pool could pay, in the unit of `usd`; undefined for a currency that the operator named. */
  most: bigint | undefined
  /** Source of the price, and the pool's reserve of `quote`. */
  source: { exchange: string; kind: 'v2' | 'v3'; pool: Hex; quote: Hex; depth: bigint } | undefined
  block: BlockRef
}

/**
 * Value of an amount in dollars, capped by the pool's reserve. Otherwise an attacker could put one dollar beside one
 * grain of a new token, give it any price and send it to strangers.
 */
export function getUsdValue({ usd, most }: TokenPrice, amount: bigint, decimals: number): bigint | undefined {
  if (!usd) return undefined
  const value = (usd.value * amount) / 10n ** BigInt(decimals)
  return most !== undefined && value > most ? most : value
}

const usdDecimals = 18

type Parts = {
  wrapped: Hex
  stablecoins: readonly Hex[]
  pools: readonly Pool[]
  metadata: ReadonlyMap<Hex, TokenMetadata>
  block: BlockRef
}

/** Works prices out of what pools hold. */
function createPricing({ wrapped, stablecoins, pools, metadata, block }: Parts) {
  const digits = (token: Hex) => metadata.get(token)?.decimals ?? 18
  const toUsd = (stable: Hex, value: bigint) => scale(value, digits(stable), usdDecimals)
  const nativeDigits = digits(wrapped)
  const oneNative = 10n ** BigInt(nativeDigits)

  const nativePool = deepest(
    pools.filter((pool) => isOneOf(stablecoins, otherOf(pool, wrapped))),
    (pool) => toUsd(otherOf(pool, wrapped) ?? wrapped, depthOf(pool, wrapped)),
  )
  const nativeUsd =
    nativePool && toUsd(otherOf(nativePool, wrapped) ?? wrapped, getPoolPrice(nativePool, wrapped, nativeDigits))

  /** In dollars, so that pools with different currencies compare; in the native currency without a dollar price. */
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
    const value = getPoolPrice(best, token, about.decimals)
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

/** Price of one whole token in a pool, in the smallest unit of the other token. */
function getPoolPrice(pool: Pool, token: Hex, decimals: number): bigint {
  const one = 10n ** BigInt(decimals)
  const first = pool.token0 === token
  if (pool.sqrtPriceX96 !== undefined) {
    const square = pool.sqrtPriceX96 ** 2n
    return first ? (one * square) >> 192n : (one << 192n) / square
  }
  return first ? (one * pool.reserve1) / pool.reserve0 : (one * pool.reserve0) / pool.reserve1
}

/** How much of the other token the pool holds: how much it would take to move the price. */
const depthOf = (pool: Pool, token: Hex): bigint => (pool.token0 === token ? pool.reserve1 : pool.reserve0)

/** Other token of a pool. */
const otherOf = (pool: Pool, token: Hex): Hex | undefined => {
  if (pool.token0 === token) return pool.token1
  return pool.token1 === token ? pool.token0 : undefined
}

/**
 * Prices from pools on the chain: for each token the one with the largest reserve of the other token, since anyone can
 * move a small one. They are valid for small swaps now. A token without a pool has no price.
 */
export async function getTokenPrices(
  chain: Chain,
  { tokens, exchange, block = 'latest' }: { tokens: readonly Hex[]; exchange?: string; block?: BlockTag },
): Promise<(TokenPrice | undefined)[]> {
  const wrapped = chain.contracts.wrapped as Hex | undefined
  const stablecoins = chain.contracts.stablecoins as readonly Hex[]
  const exchanges = [...chain.contracts.v2, ...chain.contracts.v3].map(({ name }) => name)
  if (!wrapped || exchanges.length === 0)
    throw new CountersignError(
      'CommandUnavailable',
      `No price is available: no exchange is configured for ${chain.name}.`,
      {
        details: 'See "contracts" (wrapped, stablecoins, v2, v3) of "chains" in docs/configuration.md.',
      },
    )
  if (exchange !== undefined && !exchanges.includes(exchange))
    throw new CountersignError('InvalidValue', `Unknown exchange ${exchange.slice(0, 60)} on ${chain.name}.`, {
      details: `Exchanges: ${exchanges.join(', ')}.`,
    })
  const at = await chain.block(block)
  const quotes = [wrapped, ...stablecoins]
  const all = [...new Set([...tokens, ...quotes])]
  const [metadata, pools] = await Promise.all([
    getTokenMetadata(chain, all),
    listPools(chain, { pairs: pairsOf(all, quotes), block: at.number }),
  ])
  const byAddress = new Map(metadata.map((each) => [each.address, each]))
  const price = createPricing({ wrapped, stablecoins, pools, metadata: byAddress, block: at })
  return tokens.map((token) => price(token, exchange))
}

/** Each token with each currency, once. */
function pairsOf(tokens: readonly Hex[], quotes: readonly Hex[]): [Hex, Hex][] {
  const pairs = new Map<string, [Hex, Hex]>()
  for (const token of tokens)
    for (const quote of quotes) {
      if (token === quote) continue
      const pair: [Hex, Hex] = token < quote ? [token, quote] : [quote, token]
      pairs.set(pair.join(), pair)
    }
  return [...pairs.values()]
}

/** In dollars with 18 decimals; `unpriced` counts what was there and had no price. */
export type Value = { block: BlockRef; usd: bigint; unpriced: number }

/** Value of an address at a block: native currency and given tokens, by the pools of that block. */
export async function getValueAt(
  chain: Chain,
  { owner, tokens, block }: { owner: Hex; tokens: readonly Hex[]; block: number },
): Promise<Value> {
  const [native, held] = await Promise.all([
    getNativeBalance(chain, { address: owner, block }),
    getTokenBalances(chain, { owner, tokens, block }),
  ])
  const wrapped = chain.contracts.wrapped as Hex
  const all = [
    { token: wrapped, balance: native.balance, digits: chain.nativeCurrency.decimals },
    ...held.balances.map(({ token, balance = 0n }) => ({ token, balance, digits: undefined })),
  ].filter(({ balance }) => balance > 0n)
  const wanted = [...new Set(all.map(({ token }) => token))]
  const found = wanted.length > 0 ? await getTokenPrices(chain, { tokens: wanted, block }) : []
  const prices = new Map(wanted.map((token, place) => [token, found[place]]))
  let usd = 0n
  let unpriced = 0
  for (const { token, balance, digits } of all) {
    const price = prices.get(token)
    const places = digits ?? price?.token.decimals
    const value = price && places !== undefined ? getUsdValue(price, balance, places) : undefined
    if (value === undefined) unpriced++
    else usd += value
  }
  return { block: native.block, usd, unpriced }
}
