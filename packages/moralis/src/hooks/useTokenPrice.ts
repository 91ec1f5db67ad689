import type { Attributes, Loose } from '../Loose.ts'
import { units } from '../web3/units.ts'
import { useAccountCall } from './useAccountCall.ts'
import { useMoralis } from './useMoralis.ts'
import type { UseResolveCallOptions } from './useResolveCall.ts'

type PriceParams = { address: string; chain?: string; exchange?: string; to_block?: Loose } & Attributes

/**
 * Price of a token.
 *
 * @example
 * const { fetchTokenPrice, data } = useTokenPrice({ address: '0x6B175474E89094C44Da98b954EedeAC495271d0F', chain: 'eth' })
 * console.log(data?.formattedUsd) // '$1.00'
 */
export function useTokenPrice(params: PriceParams, { autoFetch = true }: UseResolveCallOptions = {}) {
  const call = useMoralis().Moralis.Web3API.token.getTokenPrice
  const { fetch, data, setData: _, chainId: __, ...state } = useAccountCall(call, params, { autoFetch })
  return { fetchTokenPrice: fetch, data: data && format(data), ...state }
}

function format(price: Loose): Loose {
  const { usdPrice, nativePrice } = price
  const formattedUsd = typeof usdPrice === 'number' ? `$${usdPrice.toFixed(2)}` : null
  const formattedNative = nativePrice
    ? `${units.FromWei(nativePrice.value, nativePrice.decimals)} ${nativePrice.symbol}`
    : null
  return { ...price, formattedUsd, formattedNative }
}
