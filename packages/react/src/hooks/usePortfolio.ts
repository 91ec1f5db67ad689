import type { Portfolio } from '../core/chainData/ChainData.ts'
import type { PortfolioInput } from '../core/chainData/ChainInput.ts'
import { getChainReading } from '../core/chainData/getChainReading.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, type UseDocumentReading, useDocumentReading } from './useDocumentReading.ts'

/**
 * What an address has on all chains of the server: the wallet's, unless one is given.
 *
 * @example
 * const portfolio = usePortfolio()
 * if (portfolio.status === 'success') return portfolio.data.chains.map(({ name, tokens }) => <p key={name}>{tokens?.length}</p>)
 */
export function usePortfolio(input: PortfolioInput & ReadOptions = {}): UseDocumentReading<Portfolio> {
  const client = useClient()
  const { enabled = true, keepPrevious = false, ...asked } = input
  const reading = getChainReading<Portfolio>(client, 'getPortfolio', asked)
  return useDocumentReading(client, reading, { enabled, keepPrevious })
}
