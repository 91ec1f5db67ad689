import type { ChainInfo } from '../core/chainData/ChainData.ts'
import { getChainReading } from '../core/chainData/getChainReading.ts'
import { useClient } from './useClient.ts'
import { type ReadOptions, type UseDocumentReading, useDocumentReading } from './useDocumentReading.ts'

/**
 * The chains that the server reads, with their heads and how far they are indexed.
 *
 * @example
 * const chains = useChains()
 * if (chains.status === 'success') return chains.data.map(({ id, name }) => <option key={id}>{name}</option>)
 */
export function useChains(options: ReadOptions = {}): UseDocumentReading<readonly ChainInfo[]> {
  const client = useClient()
  return useDocumentReading(client, getChainReading<readonly ChainInfo[]>(client, 'listChains', {}), options)
}
