import { type AccountParams, useAccountCall } from './useAccountCall.ts'
import { useMoralis } from './useMoralis.ts'
import type { UseResolveCallOptions } from './useResolveCall.ts'

/**
 * The transactions of an address: the wallet's, unless one is given. The misspelt name of its function is the older one.
 *
 * @example
 * const { getNativeTransations, data, chainId } = useNativeTransactions({ chain: 'polygon' })
 */
export function useNativeTransactions(params?: AccountParams, options?: UseResolveCallOptions) {
  const call = useMoralis().Moralis.Web3API.account.getTransactions
  const { fetch, setData: _, ...state } = useAccountCall(call, params, options)
  return { getNativeTransations: fetch, ...state }
}
