import type { UseResolveCallOptions } from '../hooks/useResolveCall.ts'
import { usePluginCall } from './usePluginCall.ts'

type Params = {
  network?: 'testnet' | 'mainnet'
  tokenAddress: string
  tokenId: string
  tokenType: 'ERC721' | 'ERC1155'
  userAddress: string
  startAmount: number
  endAmount: number
  expirationTime?: number
}

/**
 * Offers an asset at OpenSea. The service is gone: it answers with an error that says so, unless the server has `opensea_createSellOrder`.
 *
 * @example
 * const { createSellOrder, data, error } = useOpenSeaSellOrder({ tokenAddress, tokenId, tokenType: 'ERC721', userAddress, startAmount: 1, endAmount: 1 })
 */
export function useOpenSeaSellOrder(params: Params, options?: UseResolveCallOptions) {
  const { fetch, data, isFetching, isLoading, error } = usePluginCall(
    { plugin: 'opensea', name: 'createSellOrder', params: { network: 'mainnet', ...params } },
    options,
  )
  return { createSellOrder: fetch, data, isFetching, isLoading, error }
}
