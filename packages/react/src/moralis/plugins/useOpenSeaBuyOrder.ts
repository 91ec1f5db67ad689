import { createPluginHook } from './createPluginHook.ts'

type Params = {
  network?: 'testnet' | 'mainnet'
  tokenAddress: string
  tokenId: string
  tokenType: 'ERC721' | 'ERC1155'
  amount: number
  userAddress: string
  paymentTokenAddress: string
}

/**
 * Bids for an asset at OpenSea. The service is gone: it answers with an error that says so, unless the server has `opensea_createBuyOrder`.
 *
 * @example
 * const { createBuyOrder, data, error } = useOpenSeaBuyOrder({ tokenAddress, tokenId, tokenType: 'ERC721', amount: 1, userAddress, paymentTokenAddress })
 */
export const useOpenSeaBuyOrder = createPluginHook<Params, 'createBuyOrder'>(
  'opensea',
  'createBuyOrder',
  'createBuyOrder',
)
