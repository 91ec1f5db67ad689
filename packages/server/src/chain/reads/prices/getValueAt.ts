import type { BlockRef, Chain, Hex } from '../../nodes/Chain.ts'
import { getNativeBalance } from '../getNativeBalance.ts'
import { getTokenBalances } from '../getTokenBalances.ts'
import { findWorth } from './findWorth.ts'
import { getTokenPrices } from './getTokenPrices.ts'

/** In dollars with 18 decimals; `unpriced` counts what was there and had no price. */
export type Value = { block: BlockRef; usd: bigint; unpriced: number }

/** What an address had at a block of the native currency and of given tokens, by the pools of that block. */
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
    const value = price && places !== undefined ? findWorth(price, balance, places) : undefined
    if (value === undefined) unpriced++
    else usd += value
  }
  return { block: native.block, usd, unpriced }
}
