import { type UseAsync, useClient, useRead } from '@countersign/react'
import type { Wallet } from '@countersign/react/account'
import type { Portfolio } from '@countersign/react/chain'
import { getPortfolio } from '@countersign/react/core'
import { keepData } from './useChainRequest.ts'

const none: readonly Portfolio[] = []

/** Portfolios of several addresses together. Known data stays visible during a refresh. */
export function usePortfolios(addresses: readonly string[]): UseAsync<readonly Portfolio[]> {
  const client = useClient()
  const isEmpty = addresses.length === 0
  const read = useRead<readonly Portfolio[]>(
    ['portfolios', addresses],
    (options) => Promise.all(addresses.map((address) => getPortfolio(client, { address }, options))),
    isEmpty ? { enabled: false, initialData: none } : {},
  )
  return keepData(read)
}

/** A contract is its owner's on its own chain alone: the same address may be somebody else's on another. */
export function keepOwnChains(portfolios: readonly Portfolio[], wallets: readonly Wallet[]): Portfolio[] {
  return portfolios.map((portfolio) => {
    const mine = wallets.filter(({ address }) => address.toLowerCase() === portfolio.address.toLowerCase())
    if (mine.some(({ kind, chainId }) => kind !== 'contract' || chainId === undefined)) return portfolio
    const chains = portfolio.chains.filter(({ chain }) => mine.some(({ chainId }) => chainId === String(chain)))
    return { ...portfolio, chains }
  })
}
