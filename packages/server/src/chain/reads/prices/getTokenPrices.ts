import { CountersignError } from '@countersign/protocol'
import type { BlockTag, Chain, Hex } from '../../nodes/Chain.ts'
import { getTokenMetadata } from '../getTokenMetadata.ts'
import { listPools } from '../pairs/listPools.ts'
import { createPricing } from './createPricing.ts'
import type { TokenPrice } from './TokenPrice.ts'

/**
 * Prices by the pools on the chain: for each token the one that holds most of what it is traded for, since a small one is
 * moved by anyone. They say what a swap of little would cost now, no more. A token without a pool has no price.
 */
export async function getTokenPrices(
  chain: Chain,
  { tokens, exchange, block = 'latest' }: { tokens: readonly Hex[]; exchange?: string; block?: BlockTag },
): Promise<(TokenPrice | undefined)[]> {
  const wrapped = chain.contracts.wrapped as Hex | undefined
  const stablecoins = chain.contracts.stablecoins as readonly Hex[]
  const exchanges = [...chain.contracts.v2, ...chain.contracts.v3].map(({ name }) => name)
  if (!wrapped || exchanges.length === 0)
    throw new CountersignError('CommandUnavailable', `No exchange is known on ${chain.name}, and so no price.`, {
      details: 'See "contracts" (wrapped, stablecoins, v2, v3) of "chains" in docs/configuration.md.',
    })
  if (exchange !== undefined && !exchanges.includes(exchange))
    throw new CountersignError('InvalidValue', `The exchange ${exchange.slice(0, 60)} is not known on ${chain.name}.`, {
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
