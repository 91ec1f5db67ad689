import type { UseResolveCallOptions } from '../hooks/useResolveCall.ts'
import { usePluginCall } from './usePluginCall.ts'

type Params = {
  chain?: 'rinkeby' | 'eth'
  userAddress: string
  tokenType: 'ERC721' | 'ERC1155'
  tokenUri: string
  supply: number
  royaltiesAmount?: number
}

/**
 * Mints at Rarible when it is bought. The service is gone: it answers with an error that says so, unless the server has `rarible_lazyMint`.
 *
 * @example
 * const { lazyMint, data, error } = useRaribleLazyMint({ userAddress, tokenType: 'ERC721', tokenUri, supply: 1 })
 */
export function useRaribleLazyMint(params: Params, options?: UseResolveCallOptions) {
  const { fetch, data, isFetching, isLoading, error } = usePluginCall(
    { plugin: 'rarible', name: 'lazyMint', params: { chain: 'eth', ...params } },
    options,
  )
  return { lazyMint: fetch, data, isFetching, isLoading, error }
}
