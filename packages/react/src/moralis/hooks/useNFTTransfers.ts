import { createAccountHook } from './createAccountHook.ts'

/**
 * The NFT transfers of an address: the wallet's, unless one is given.
 *
 * @example
 * const { getNFTTransfers, data, isLoading } = useNFTTransfers({ chain: 'polygon' })
 */
export const useNFTTransfers = createAccountHook('getNFTTransfers', 'getNFTTransfers')
