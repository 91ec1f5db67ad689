import type { PortfolioChain } from '@countersign/protocol'
import { findCoverage } from '../../../chain/index/queries/findCoverage.ts'
import { listHoldings } from '../../../chain/index/queries/listHoldings.ts'
import type { Chain, Hex } from '../../../chain/nodes/Chain.ts'
import { getChains } from '../../../chain/nodes/getChains.ts'
import { getNativeBalance } from '../../../chain/reads/nativeBalances.ts'
import { getTokenPrices, getUsdValue, type TokenPrice } from '../../../chain/reads/prices.ts'
import type { Caller } from '../../../context/Caller.ts'
import type { Context } from '../../../context/Context.ts'
import { defineEndpoint } from '../../../endpoint/defineEndpoint.ts'
import type { Endpoint } from '../../../endpoint/Endpoint.ts'
import { describeFailure } from '../answers.ts'
import { checkChainAccess, payerOf } from '../defineChainRead.ts'
import { describeBlockRef, formatUnits } from '../describe.ts'
import { describeToken, readTokenBalances } from '../readTokens.ts'

export const portfolioEndpoints: Endpoint[] = [
  defineEndpoint('getPortfolio', {
    admit: (context, caller) => checkChainAccess(context, caller, 10),
    async handle({ context, caller, input: { chains: wanted }, params: { address: owner } }) {
      const all = getChains(context)
      const payer = payerOf(context, caller, 10)
      const own = all.all().filter(({ id }) => context.config.chains.some((each) => each.id === id))
      const chains = wanted ? [...new Set(wanted.map((name) => all.get(name)))] : own
      return {
        address: owner,
        chains: await Promise.all(chains.map((chain) => describeChain(context, caller, chain.paidBy(payer), owner))),
      }
    },
  }),
]

type Part = Omit<PortfolioChain, 'chain' | 'name' | 'age'> & { time: number }

/** One chain that fails leaves the others as they are. */
async function describeChain(context: Context, caller: Caller, chain: Chain, owner: Hex): Promise<PortfolioChain> {
  const { id, name } = chain
  try {
    const coverage = await findCoverage(context, caller, id, owner, 'address')
    const isSynced = coverage?.followed && coverage.status === 'SYNCED'
    const make = () => readPart(context, chain, owner, coverage?.followed ? coverage.status : undefined)
    const key = `portfolio ${owner} ${coverage?.followed ?? false} ${coverage?.block.hash ?? ''}`
    const kept =
      isSynced || !coverage?.followed
        ? await chain.remember(key, async () => ({ value: await make(), size: 100_000 }))
        : { value: await make(), source: 'node' as const }
    const { time, ...part } = kept.value
    const age = Math.max(0, Math.round(context.clock.now().getTime() / 1000 - time))
    return { chain: id, name, ...part, age, source: kept.source }
  } catch (error) {
    return { chain: id, name, ...describeFailure(context, error) }
  }
}

async function readPart(
  context: Context,
  chain: Chain,
  owner: Hex,
  status: 'SYNCED' | 'SYNCING' | undefined,
): Promise<Part> {
  const [native, held, nfts] = await Promise.all([
    getNativeBalance(chain, { address: owner }),
    status ? readTokenBalances(context, chain, { owner, block: 'latest' }) : undefined,
    status ? listHoldings(context, { chain: chain.id, owner, limit: 1, count: true }) : undefined,
  ])
  const tokens = held?.tokens ?? []
  const prices = await findPrices(chain, [
    ...tokens.map(({ address: token }) => token),
    ...((chain.contracts.wrapped ? [chain.contracts.wrapped] : []) as Hex[]),
  ])
  const worth = (token: string | undefined, amount: bigint, decimals: number | undefined) => {
    const price = token === undefined ? undefined : prices.get(token)
    const value = price && decimals !== undefined ? getUsdValue(price, amount, decimals) : undefined
    return value === undefined ? {} : { usd: formatUnits(value, price?.usd?.decimals ?? 18) }
  }
  const { symbol, decimals } = chain.nativeCurrency
  return {
    block: describeBlockRef(native.block),
    time: native.block.timestamp,
    native: {
      balance: native.balance.toString(),
      symbol,
      decimals,
      ...worth(chain.contracts.wrapped, native.balance, decimals),
    },
    tokens: tokens.map(({ balance, ...token }) => ({
      ...describeToken(token),
      balance: balance.toString(),
      ...worth(token.address, balance, token.decimals),
    })),
    complete: status === 'SYNCED',
    ...(nfts && { nfts: nfts.total ?? 0 }),
    ...(status && { status }),
  }
}

/** Prices by pools; empty if no exchange is known. */
async function findPrices(chain: Chain, tokens: readonly Hex[]): Promise<Map<string, TokenPrice>> {
  const { wrapped, v2, v3 } = chain.contracts
  if (!wrapped || v2.length + v3.length === 0) return new Map()
  const prices = await getTokenPrices(chain, { tokens })
  return new Map(prices.flatMap((price, place) => (price ? [[tokens[place] as string, price] as const] : [])))
}
