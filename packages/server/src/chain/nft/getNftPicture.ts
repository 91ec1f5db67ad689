import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'
import type { Fetched } from './fetchDocument.ts'
import { getPicture } from './getPicture.ts'
import { findRecords } from './listNftMetadata.ts'
import type { Nft } from './NftRecord.ts'
import { normalizeMetadata } from './normalizeMetadata.ts'

/** The picture of an NFT whose metadata is known. */
export async function getNftPicture(context: Context, chain: Chain, nft: Nft): Promise<Fetched> {
  const [record] = await findRecords(context, chain, [nft])
  const image = record?.metadata && normalizeMetadata(context.config.nft, record.metadata).image
  if (!image) throw new CountersignError('ObjectNotFound', 'No picture of this collectible is known.')
  return getPicture(context, image)
}
