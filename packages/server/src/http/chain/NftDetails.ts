import type { NormalizedMetadata } from '../../chain/nft/readMetadata.ts'

export type NftDetails = {
  /** Contract and metadata have both been asked. */
  isWhole: boolean
  name: string | undefined
  symbol: string | undefined
  uri: string | undefined
  uriRead: Date | undefined
  metadata: unknown
  metadataRead: Date | undefined
  normalized: NormalizedMetadata | undefined
}

export type NftRow = { token: string; tokenId: string; kind: 'erc721' | 'erc1155' }
