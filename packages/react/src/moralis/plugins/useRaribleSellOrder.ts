import type { UseResolveCallOptions } from '../hooks/useResolveCall.ts'
import { usePluginCall } from './usePluginCall.ts'

type Params = {
  chain?: 'rinkeby' | 'eth'
  userAddress: string
  makeTokenId: string
  makeTokenAddress: string
  makeAssetClass: string
  makeValue: string
  takeAssetClass: string
  takeValue: string
}

/**
 * Offers a token at Rarible. The service is gone: it answers with an error that says so, unless the server has `rarible_createSellOrder`.
 *
 * @example
 * const { createSellOrder, data, error } = useRaribleSellOrder({ userAddress, makeTokenId, makeTokenAddress, makeAssetClass: 'ERC721', makeValue: '1', takeAssetClass: 'ETH', takeValue: '10' })
 */
export function useRaribleSellOrder(params: Params, options?: UseResolveCallOptions) {
  const { fetch, data, isFetching, isLoading, error } = usePluginCall(
    { plugin: 'rarible', name: 'createSellOrder', params: { chain: 'eth', ...params } },
    options,
  )
  return { createSellOrder: fetch, data, isFetching, isLoading, error }
}
