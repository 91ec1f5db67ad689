import type { UseResolveCallOptions } from '../hooks/useResolveCall.ts'
import { usePluginCall } from './usePluginCall.ts'

type Params = {
  network?: 'testnet' | 'mainnet'
  tokenAddress: string
  tokenId: string
  orderSide: 0 | 1
  page?: number
}

/**
 * Orders at OpenSea. The service is gone: it answers with an error that says so, unless the server has `opensea_getOrders`.
 *
 * @example
 * const { getOrders, data, error } = useOpenSeaOrders({ tokenAddress, tokenId, orderSide: 0 })
 */
export function useOpenSeaOrders(params: Params, options?: UseResolveCallOptions) {
  const { fetch, data, isFetching, isLoading, error } = usePluginCall(
    { plugin: 'opensea', name: 'getOrders', params: { network: 'mainnet', page: 1, ...params } },
    options,
  )
  return { getOrders: fetch, data, isFetching, isLoading, error }
}
