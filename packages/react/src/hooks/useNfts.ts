import type { Nft } from '../core/chainData/ChainData.ts'
import type { NftsInput } from '../core/chainData/ChainInput.ts'
import type { ReadOptions } from './useDocumentReading.ts'
import { type UseOnChainPages, useOnChainPages } from './useOnChainPages.ts'

/**
 * The collectibles of an address: the wallet's, unless one is given.
 *
 * @example
 * const nfts = useNfts({ limit: 20 })
 * if (nfts.status === 'success') return nfts.data.map(({ token, tokenId, name }) => <p key={token + tokenId}>{name} {tokenId}</p>)
 */
export function useNfts(input: NftsInput & ReadOptions = {}): UseOnChainPages<Nft> {
  const { reading: _, ...pages } = useOnChainPages<Nft>('listNfts', input)
  return pages
}
