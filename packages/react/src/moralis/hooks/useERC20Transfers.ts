import { type AccountParams, useAccountCall } from './useAccountCall.ts'
import { useMoralis } from './useMoralis.ts'
import type { UseResolveCallOptions } from './useResolveCall.ts'

/**
 * The ERC-20 transfers of an address: the wallet's, unless one is given.
 *
 * @example
 * const { fetchERC20Transfers, data, isLoading } = useERC20Transfers({ chain: 'polygon' })
 */
export function useERC20Transfers(params?: AccountParams, options?: UseResolveCallOptions) {
  const call = useMoralis().Moralis.Web3API.account.getTokenTransfers
  const { fetch, data, error, isLoading, isFetching } = useAccountCall(call, params, options)
  return { fetchERC20Transfers: fetch, data, error, isLoading, isFetching }
}
