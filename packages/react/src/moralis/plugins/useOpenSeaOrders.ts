import { createPluginHook } from './createPluginHook.ts'

type Params = {
  network?: 'testnet' | 'mainnet'
  tokenAddress: string
  tokenId: string
  orderSide: 0 | 1
  page?: number
}

/**
 * Orders at OpenSea. The service is gone: it answers with an error that says so, unless the server has `opensea_getOrders`.
 *
 * @example
 * const { getOrders, data, error } = useOpenSeaOrders({ tokenAddress, tokenId, orderSide: 0 })
 */
export const useOpenSeaOrders = createPluginHook<Params, 'getOrders'>('opensea', 'getOrders', 'getOrders')
