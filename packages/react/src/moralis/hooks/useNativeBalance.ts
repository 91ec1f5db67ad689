import { formatUnits } from '../../core/ethers/formatUnits.ts'
import { getChain } from '../web3/chains.ts'
import { type AccountParams, useAccountCall } from './useAccountCall.ts'
import { useMoralis } from './useMoralis.ts'
import type { UseResolveCallOptions } from './useResolveCall.ts'

/**
 * What an address has of the chain's own coin: the wallet's, unless one is given.
 *
 * @example
 * const { data, nativeToken } = useNativeBalance({ chain: '0x89' })
 * console.log(data.formatted) // '1.5 POL'
 */
export function useNativeBalance(params?: AccountParams, options?: UseResolveCallOptions) {
  const call = useMoralis().Moralis.Web3API.account.getNativeBalance
  const { fetch, data, chainId, error, isLoading, isFetching } = useAccountCall<{ balance: string }>(
    call,
    params,
    options,
  )
  const nativeToken = getChain(names[chainId] ?? chainId)?.nativeCurrency ?? null
  const balance = data?.balance
  const formatted =
    balance && nativeToken
      ? `${formatUnits(balance, nativeToken.decimals).replace(/\.0$/, '')} ${nativeToken.symbol}`
      : null
  return { getBalances: fetch, data: { balance, formatted }, nativeToken, error, isLoading, isFetching }
}

const names: Record<string, string> = {
  eth: '0x1',
  goerli: '0x5',
  sepolia: '0xaa36a7',
  polygon: '0x89',
  mumbai: '0x13881',
  bsc: '0x38',
  'bsc testnet': '0x61',
  avalanche: '0xa86a',
  'avalanche testnet': '0xa869',
  fantom: '0xfa',
  cronos: '0x19',
}
