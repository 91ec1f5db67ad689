import { createPluginHook } from './createPluginHook.ts'

type Params = { network?: 'testnet' | 'mainnet'; tokenAddress: string; tokenId: string }

/**
 * An asset at OpenSea. The service is gone: it answers with an error that says so, unless the server has `opensea_getAsset`.
 *
 * @example
 * const { getAsset, data, error } = useOpenSeaAsset({ tokenAddress, tokenId })
 */
export const useOpenSeaAsset = createPluginHook<Params, 'getAsset'>('opensea', 'getAsset', 'getAsset')
