import { type AccountParams, useAccountCall } from './useAccountCall.ts'
import { useMoralis } from './useMoralis.ts'
import type { UseResolveCallOptions } from './useResolveCall.ts'

/**
 * The ERC-20 balances of an address: the wallet's, unless one is given.
 *
 * @example
 * const { fetchERC20Balances, data, isLoading } = useERC20Balances({ chain: 'polygon' })
 */
export function useERC20Balances(params?: AccountParams, options?: UseResolveCallOptions) {
  const call = useMoralis().Moralis.Web3API.account.getTokenBalances
  const { fetch, data, error, isLoading, isFetching } = useAccountCall(call, params, options)
  return { fetchERC20Balances: fetch, data, error, isLoading, isFetching }
}
