import { getChain } from '../web3/chains.ts'
import { units } from '../web3/units.ts'
import { type AccountParams, useAccountCall } from './useAccountCall.ts'
import { useMoralis } from './useMoralis.ts'
import type { UseResolveCallOptions } from './useResolveCall.ts'

/**
 * Native balance of an address: the wallet's by default.
 *
 * @example
 * const { data, nativeToken } = useNativeBalance({ chain: '0x89' })
 * console.log(data.formatted) // '1.5 POL'
 */
export function useNativeBalance(params?: AccountParams, options?: UseResolveCallOptions) {
  const call = useMoralis().Moralis.Web3API.account.getNativeBalance
  const { fetch, data, setData: _, chainId, ...state } = useAccountCall<{ balance: string }>(call, params, options)
  const nativeToken = getChain(names[chainId] ?? chainId)?.nativeCurrency ?? null
  const balance = data?.balance
  const formatted =
    balance && nativeToken ? `${units.FromWei(balance, nativeToken.decimals)} ${nativeToken.symbol}` : null
  return { getBalances: fetch, data: { balance, formatted }, nativeToken, ...state }
}

/** The names that the Web3API takes for chains. */
const names: Record<string, string> = {
  eth: '0x1',
  sepolia: '0xaa36a7',
  polygon: '0x89',
  bsc: '0x38',
  avalanche: '0xa86a',
  fantom: '0xfa',
  cronos: '0x19',
}
