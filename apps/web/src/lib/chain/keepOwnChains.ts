import type { Portfolio, Wallet } from '@countersign/react'

/** A contract is its owner's on its own chain alone: the same address may be somebody else's on another. */
export function keepOwnChains(portfolios: readonly Portfolio[], wallets: readonly Wallet[]): Portfolio[] {
  return portfolios.map((portfolio) => {
    const mine = wallets.filter(({ address }) => address.toLowerCase() === portfolio.address)
    if (mine.some(({ kind, chainId }) => kind !== 'contract' || chainId === undefined)) return portfolio
    const chains = portfolio.chains.filter(({ chain }) => mine.some(({ chainId }) => chainId === String(chain)))
    return { ...portfolio, chains }
  })
}
