import { createPluginHook } from './createPluginHook.ts'

type LazyMintParams = {
  chain?: 'rinkeby' | 'eth'
  userAddress: string
  tokenType: 'ERC721' | 'ERC1155'
  tokenUri: string
  supply: number
  royaltiesAmount?: number
}

/**
 * Mints at Rarible when it is bought. The service has ended: fails with an error that says so, unless the server has
 * `rarible_lazyMint`.
 *
 * @example
 * const { lazyMint, data, error } = useRaribleLazyMint({ userAddress, tokenType: 'ERC721', tokenUri, supply: 1 })
 */
export const useRaribleLazyMint = createPluginHook<LazyMintParams, 'lazyMint'>('rarible', 'lazyMint', 'lazyMint')

type SellOrderParams = {
  chain?: 'rinkeby' | 'eth'
  userAddress: string
  makeTokenId: string
  makeTokenAddress: string
  makeAssetClass: string
  makeValue: string
  takeAssetClass: string
  takeValue: string
}

/**
 * Offers a token at Rarible. The service has ended: fails with an error that says so, unless the server has
 * `rarible_createSellOrder`.
 *
 * @example
 * const { createSellOrder, data, error } = useRaribleSellOrder({ userAddress, makeTokenId, makeTokenAddress, makeAssetClass: 'ERC721', makeValue: '1', takeAssetClass: 'ETH', takeValue: '10' })
 */
export const useRaribleSellOrder = createPluginHook<SellOrderParams, 'createSellOrder'>(
  'rarible',
  'createSellOrder',
  'createSellOrder',
)
