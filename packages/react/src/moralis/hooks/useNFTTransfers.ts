import { type AccountParams, useAccountCall } from './useAccountCall.ts'
import { useMoralis } from './useMoralis.ts'
import type { UseResolveCallOptions } from './useResolveCall.ts'

/**
 * The NFT transfers of an address: the wallet's, unless one is given.
 *
 * @example
 * const { getNFTTransfers, data, isLoading } = useNFTTransfers({ chain: 'polygon' })
 */
export function useNFTTransfers(params?: AccountParams, options?: UseResolveCallOptions) {
  const call = useMoralis().Moralis.Web3API.account.getNFTTransfers
  const { fetch, data, error, isLoading, isFetching } = useAccountCall(call, params, options)
  return { getNFTTransfers: fetch, data, error, isLoading, isFetching }
}
