import { createPluginHook } from './createPluginHook.ts'

type Params = {
  chain?: 'rinkeby' | 'eth'
  userAddress: string
  tokenType: 'ERC721' | 'ERC1155'
  tokenUri: string
  supply: number
  royaltiesAmount?: number
}

/**
 * Mints at Rarible when it is bought. The service is gone: it answers with an error that says so, unless the server has `rarible_lazyMint`.
 *
 * @example
 * const { lazyMint, data, error } = useRaribleLazyMint({ userAddress, tokenType: 'ERC721', tokenUri, supply: 1 })
 */
export const useRaribleLazyMint = createPluginHook<Params, 'lazyMint'>('rarible', 'lazyMint', 'lazyMint')
