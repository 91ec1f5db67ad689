import { createPluginHook } from './createPluginHook.ts'

type AssetParams = { network?: 'testnet' | 'mainnet'; tokenAddress: string; tokenId: string }

/**
 * An asset at OpenSea. The service has ended: fails with an error that says so, unless the server has
 * `opensea_getAsset`.
 *
 * @example
 * const { getAsset, data, error } = useOpenSeaAsset({ tokenAddress, tokenId })
 */
export const useOpenSeaAsset = createPluginHook<AssetParams, 'getAsset'>('opensea', 'getAsset', 'getAsset')

type OrdersParams = {
  network?: 'testnet' | 'mainnet'
  tokenAddress: string
  tokenId: string
  orderSide: 0 | 1
  page?: number
}

/**
 * Orders at OpenSea. The service has ended: fails with an error that says so, unless the server has
 * `opensea_getOrders`.
 *
 * @example
 * const { getOrders, data, error } = useOpenSeaOrders({ tokenAddress, tokenId, orderSide: 0 })
 */
export const useOpenSeaOrders = createPluginHook<OrdersParams, 'getOrders'>('opensea', 'getOrders', 'getOrders')

type BuyOrderParams = {
  network?: 'testnet' | 'mainnet'
  tokenAddress: string
  tokenId: string
  tokenType: 'ERC721' | 'ERC1155'
  amount: number
  userAddress: string
  paymentTokenAddress: string
}

/**
 * Bids for an asset at OpenSea. The service has ended: fails with an error that says so, unless the server has
 * `opensea_createBuyOrder`.
 *
 * @example
 * const { createBuyOrder, data, error } = useOpenSeaBuyOrder({ tokenAddress, tokenId, tokenType: 'ERC721', amount: 1, userAddress, paymentTokenAddress })
 */
export const useOpenSeaBuyOrder = createPluginHook<BuyOrderParams, 'createBuyOrder'>(
  'opensea',
  'createBuyOrder',
  'createBuyOrder',
)

type SellOrderParams = {
  network?: 'testnet' | 'mainnet'
  tokenAddress: string
  tokenId: string
  tokenType: 'ERC721' | 'ERC1155'
  userAddress: string
  startAmount: number
  endAmount: number
  expirationTime?: number
}

/**
 * Offers an asset at OpenSea. The service has ended: fails with an error that says so, unless the server has
 * `opensea_createSellOrder`.
 *
 * @example
 * const { createSellOrder, data, error } = useOpenSeaSellOrder({ tokenAddress, tokenId, tokenType: 'ERC721', userAddress, startAmount: 1, endAmount: 1 })
 */
export const useOpenSeaSellOrder = createPluginHook<SellOrderParams, 'createSellOrder'>(
  'opensea',
  'createSellOrder',
  'createSellOrder',
)
