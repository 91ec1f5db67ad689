import type { Portfolio } from '@countersign/react/chain'
import { readUsd } from './usd.ts'

type PortfolioChain = Portfolio['chains'][number]

/** One currency or token on one chain, over all wallets that are looked at. */
export type Holding = {
  key: string
  chain: number
  chainName: string
  /** Absent for the chain's own currency. */
  token?: string
  name: string
  symbol?: string
  decimals?: number
  balance: bigint
  /** Absent where no price is known. */
  usd?: bigint
  wallets: number
  /** True if another token on this chain has the same name, and nothing shows that this is the real one. */
  isNamesake?: boolean
}

export type Gathered = {
  holdings: Holding[]
  /** Sum of assets with a price. */
  total: bigint
  unpriced: number
  /** By chain and `skeletonOf` a name, the keys of what has it: of those with a price and of the chain's own currency. */
  names: ReadonlyMap<string, string>
}

/** Adds up what several wallets hold, the most valuable first, what has no known price last. */
export function gatherHoldings(portfolios: readonly Portfolio[], chain?: number): Gathered {
  const found = new Map<string, Holding>()
  for (const portfolio of portfolios)
    for (const part of portfolio.chains)
      if (chain === undefined || part.chain === chain) for (const each of listHoldings(part)) addTo(found, each)
  const sorted = [...found.values()].sort(compare)
  const byName = groupByName(sorted)
  const holdings = sorted.map((each) => (isNamesake(each, byName) ? { ...each, isNamesake: true } : each))
  return {
    holdings,
    names: new Map(
      [...byName].flatMap(([name, all]) =>
        all
          .filter(isTrusted)
          .slice(0, 1)
          .map(({ key }) => [name, key] as const),
      ),
    ),
    total: holdings.reduce((sum, { usd }) => sum + (usd ?? 0n), 0n),
    unpriced: holdings.filter(({ usd, balance }) => usd === undefined && balance > 0n).length,
  }
}

function listHoldings({ chain, name: chainName, native, tokens = [] }: PortfolioChain): Holding[] {
  const own = native && {
    key: `${chain}`,
    chain,
    chainName,
    name: native.symbol,
    symbol: native.symbol,
    decimals: native.decimals,
    balance: native.balance,
    wallets: 1,
    ...(native.usd !== undefined && { usd: readUsd(native.usd) }),
  }
  const others = tokens
    .filter(({ balance }) => balance > 0n)
    .map(({ token, name, symbol, decimals, balance, usd }) => ({
      key: keyOfToken(chain, token),
      chain,
      chainName,
      token,
      name: name ?? symbol ?? token,
      ...(symbol !== undefined && { symbol }),
      ...(decimals !== undefined && { decimals }),
      balance,
      wallets: 1,
      ...(usd !== undefined && { usd: readUsd(usd) }),
    }))
  return own ? [own, ...others] : others
}

/** Key of a token, also in links: the letters' case does not count. */
export const keyOfToken = (chain: number, token: string): string => `${chain} ${token.toLowerCase()}`

/** Native currencies and tokens with a pool: anyone may give a token any name, but a pool costs something. */
const isTrusted = ({ token, usd }: Holding) => token === undefined || usd !== undefined

export const keyOfName = (chain: number, name: string): string => `${chain} ${skeletonOf(name)}`

const namesOf = ({ chain, name, symbol }: Holding) =>
  new Set([name, symbol ?? name].map((each) => keyOfName(chain, each)))

function groupByName(holdings: readonly Holding[]): Map<string, Holding[]> {
  const groups = new Map<string, Holding[]>()
  for (const holding of holdings)
    for (const name of namesOf(holding)) groups.set(name, [...(groups.get(name) ?? []), holding])
  return groups
}

function isNamesake(holding: Holding, groups: ReadonlyMap<string, Holding[]>): boolean {
  const others = [...namesOf(holding)].flatMap((name) => groups.get(name) ?? []).filter((each) => each !== holding)
  return isTrusted(holding) ? others.some(isTrusted) : others.length > 0
}

function addTo(found: Map<string, Holding>, holding: Holding): void {
  const known = found.get(holding.key)
  if (!known) return void found.set(holding.key, holding)
  const usd = known.usd === undefined ? holding.usd : known.usd + (holding.usd ?? 0n)
  found.set(holding.key, {
    ...known,
    balance: known.balance + holding.balance,
    wallets: known.wallets + 1,
    ...(usd !== undefined && { usd }),
  })
}

function compare(one: Holding, other: Holding): number {
  if (one.usd === undefined || other.usd === undefined) {
    if (one.usd !== other.usd) return one.usd === undefined ? 1 : -1
    return one.name.localeCompare(other.name)
  }
  return one.usd === other.usd ? one.name.localeCompare(other.name) : one.usd < other.usd ? 1 : -1
}

const drawnAlike = 'АAВBЕEЗ3ІIЈJКKМMНHОOРPЅSСCТTУYХXΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX'
const latin = new Map(Array.from(drawnAlike.matchAll(/../gu), ([[own = '', as = ''] = '']) => [own, as]))

/** A name as the eye takes it: without case, accents and gaps, and letters of other scripts as the Latin ones they look like. */
function skeletonOf(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\s]/gu, '')
    .toUpperCase()
  return Array.from(letters, (letter) => latin.get(letter) ?? letter).join('')
}
