import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'
import { findAvatar } from '../reads/ens/findAvatar.ts'
import type { Fetched } from './fetchDocument.ts'
import { getNftMetadata } from './getNftMetadata.ts'
import { getNftPicture } from './getNftPicture.ts'
import { getPicture } from './getPicture.ts'
import { resolveUri } from './resolveUri.ts'

/** The picture that a name shows of itself: at an address, in its record, or of an NFT that its address has. */
export async function getNamePicture(context: Context, chain: Chain, name: string, asker: string): Promise<Fetched> {
  const avatar = await findAvatar(chain, name)
  if (!avatar) throw noPicture()
  if (avatar.kind === 'url') {
    if (!/^data:/i.test(avatar.url) && !resolveUri(context.config.nft, avatar.url)) throw noPicture()
    return getPicture(context, avatar.url, asker)
  }
  const { token, tokenId, standard: kind } = avatar
  const { metadata, error } = await getNftMetadata(context, chain, { token, tokenId, kind }, { asker })
  if (!metadata && error) throw new CountersignError('ObjectNotFound', `The picture could not be fetched. ${error}`)
  return getNftPicture(context, chain, { token, tokenId, kind }, asker)
}

function noPicture(): CountersignError {
  return new CountersignError('ObjectNotFound', 'The name has no picture.', {
    details: 'Its record "avatar" may be an address (https, ipfs, ar), a picture in data:, or an NFT that it has.',
  })
}
