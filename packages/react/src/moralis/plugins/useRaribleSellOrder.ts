import { createPluginHook } from './createPluginHook.ts'

type Params = {
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
 * Offers a token at Rarible. The service is gone: it answers with an error that says so, unless the server has `rarible_createSellOrder`.
 *
 * @example
 * const { createSellOrder, data, error } = useRaribleSellOrder({ userAddress, makeTokenId, makeTokenAddress, makeAssetClass: 'ERC721', makeValue: '1', takeAssetClass: 'ETH', takeValue: '10' })
 */
export const useRaribleSellOrder = createPluginHook<Params, 'createSellOrder'>(
  'rarible',
  'createSellOrder',
  'createSellOrder',
)
