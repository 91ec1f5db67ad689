import type { Hex } from '../nodes/Chain.ts'
import type { Metadata } from './readMetadata.ts'

/** An NFT by its contract and id. The kind says which question finds its URI. */
export type Nft = { token: Hex; tokenId: bigint; kind: 'erc721' | 'erc1155' }

/** What is known of an NFT's metadata. */
export type NftRecord = {
  /** Where its metadata lies, as its contract says. */
  uri: string | undefined
  uriRead: Date | undefined
  metadata: Metadata | undefined
  /** When it was last tried. */
  metadataRead: Date | undefined
  /** Why the last try brought nothing; what was known before is kept while the URI is the same. */
  error: string | undefined
}
