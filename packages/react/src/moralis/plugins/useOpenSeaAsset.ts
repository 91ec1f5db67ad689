import type { UseResolveCallOptions } from '../hooks/useResolveCall.ts'
import { usePluginCall } from './usePluginCall.ts'

type Params = { network?: 'testnet' | 'mainnet'; tokenAddress: string; tokenId: string }

/**
 * An asset at OpenSea. The service is gone: it answers with an error that says so, unless the server has `opensea_getAsset`.
 *
 * @example
 * const { getAsset, data, error } = useOpenSeaAsset({ tokenAddress, tokenId })
 */
export function useOpenSeaAsset(params: Params, options?: UseResolveCallOptions) {
  const { fetch, data, isFetching, isLoading, error } = usePluginCall(
    { plugin: 'opensea', name: 'getAsset', params: { network: 'mainnet', ...params } },
    options,
  )
  return { getAsset: fetch, data, isFetching, isLoading, error }
}
