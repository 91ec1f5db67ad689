import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'
import type { Fetched } from './fetchDocument.ts'
import { getPicture } from './getPicture.ts'
import { findRecords } from './listNftMetadata.ts'
import type { Nft } from './NftRecord.ts'
import { findImage } from './normalizeMetadata.ts'

/** The picture of an NFT whose metadata is known. */
export async function getNftPicture(context: Context, chain: Chain, nft: Nft, asker: string): Promise<Fetched> {
  const [record] = await findRecords(context, chain, [nft])
  // As it stands in the metadata: of an address that was made from it nobody could say any more who wrote it.
  const image = record?.metadata && findImage(record.metadata)
  if (typeof image !== 'string' || image === '')
    throw new CountersignError('ObjectNotFound', 'No picture of this collectible is known.')
  return getPicture(context, image, asker)
}
