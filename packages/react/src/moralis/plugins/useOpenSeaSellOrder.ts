import { createPluginHook } from './createPluginHook.ts'

type Params = {
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
 * Offers an asset at OpenSea. The service is gone: it answers with an error that says so, unless the server has `opensea_createSellOrder`.
 *
 * @example
 * const { createSellOrder, data, error } = useOpenSeaSellOrder({ tokenAddress, tokenId, tokenType: 'ERC721', userAddress, startAmount: 1, endAmount: 1 })
 */
export const useOpenSeaSellOrder = createPluginHook<Params, 'createSellOrder'>(
  'opensea',
  'createSellOrder',
  'createSellOrder',
)
