import type { Web3Api } from '../web3/createApis.ts'
import { type AccountParams, useAccountCall } from './useAccountCall.ts'
import { useMoralis } from './useMoralis.ts'
import type { UseResolveCallOptions } from './useResolveCall.ts'

/** A hook for a call about an address; its function is named `as` in the hook's result. */
function createAccountHook<const As extends string>(name: keyof Web3Api['account'], as: As) {
  return (params?: AccountParams, options?: UseResolveCallOptions) => {
    const call = useMoralis().Moralis.Web3API.account[name]
    const { fetch, setData: _, chainId: __, ...state } = useAccountCall(call, params, options)
    return { [as]: fetch, ...state } as typeof state & { [Name in As]: typeof fetch }
  }
}

/**
 * The ERC-20 balances of an address: the wallet's, unless one is given.
 *
 * @example
 * const { fetchERC20Balances, data, isLoading } = useERC20Balances({ chain: 'polygon' })
 */
export const useERC20Balances = createAccountHook('getTokenBalances', 'fetchERC20Balances')

/**
 * The ERC-20 transfers of an address: the wallet's, unless one is given.
 *
 * @example
 * const { fetchERC20Transfers, data, isLoading } = useERC20Transfers({ chain: 'polygon' })
 */
export const useERC20Transfers = createAccountHook('getTokenTransfers', 'fetchERC20Transfers')

/**
 * The NFT transfers of an address: the wallet's, unless one is given.
 *
 * @example
 * const { getNFTTransfers, data, isLoading } = useNFTTransfers({ chain: 'polygon' })
 */
export const useNFTTransfers = createAccountHook('getNFTTransfers', 'getNFTTransfers')
