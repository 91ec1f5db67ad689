import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'
import { findAvatar } from '../reads/ens.ts'
import { type Fetched, readDataUri, resolveUri } from './fetchDocument.ts'
import { fetchInTurn, isTooMany } from './getFetcher.ts'
import type { Nft } from './Nft.ts'
import { findRecords, getNftMetadata } from './nftMetadata.ts'
import { findImage } from './readMetadata.ts'

const mostBytes = 2 * 1024 * 1024

const mostKept = 32 * 1024 * 1024

const longestUri = 4_000

type Kept = { at: number; outcome: { picture: Fetched } | { error: unknown } }

declare module '../../context/Context.ts' {
  interface Services {
    /** Pictures that were fetched, by their URI. */
    pictures?: Map<string, Kept>
  }
}

/**
 * A picture by the URI that a stranger chose: http(s), ipfs, ar, or the picture itself in `data:`. The server reads it,
 * so that the host does not learn who views it; its type is detected by its first bytes, not by the sender's header.
 */
async function getPicture(context: Context, uri: string, asker: string): Promise<Fetched> {
  const data = readDataUri(uri)
  if (data) return checked(data)
  // It is kept with what came of it: a minter must not fill the memory with addresses that lead nowhere.
  if (uri.length > longestUri) throw new CountersignError('ObjectNotFound', 'The avatar URL is not an image.')
  context.services.pictures ??= new Map()
  const { pictures } = context.services
  const known = pictures.get(uri)
  const kept = known && isFresh(context, known) ? known : await fetchKept(context, uri, asker)
  if (kept !== known) {
    pictures.delete(uri)
    pictures.set(uri, kept)
    trim(pictures)
  }
  if ('error' in kept.outcome) throw kept.outcome.error
  return kept.outcome.picture
}

function isFresh({ config, clock }: Context, { at, outcome }: Kept): boolean {
  const seconds = 'error' in outcome ? config.nft.retryAfter : config.nft.keepFor
  return clock.now().getTime() - at < seconds * 1000
}

async function fetchKept(context: Context, uri: string, asker: string): Promise<Kept> {
  const at = context.clock.now().getTime()
  try {
    return { at, outcome: { picture: await fetchPicture(context, uri, asker) } }
  } catch (error) {
    if (isTooMany(error)) throw error
    return { at, outcome: { error } }
  }
}

async function fetchPicture(context: Context, uri: string, asker: string): Promise<Fetched> {
  const { nft } = context.config
  if (!nft.fetch) throw new CountersignError('ObjectNotFound', 'This server doesn’t fetch images (nft.fetch is off).')
  const place = resolveUri(nft, uri)
  if (!place) throw new CountersignError('ObjectNotFound', 'The avatar URL is not an image.')
  const accepts = (type: string) => /^(image\/[a-z+.-]+|(application|binary)\/octet-stream|)$/.test(type)
  try {
    return checked(await fetchInTurn(context, place, { asker, kind: 'picture', accepts, maxSize: mostBytes }))
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new CountersignError('ObjectNotFound', `The image could not be fetched. ${reason}`)
  }
}

function checked({ bytes }: Fetched): Fetched {
  const type = bytes.length <= mostBytes ? sniffPicture(bytes) : undefined
  if (!type) throw new CountersignError('ObjectNotFound', 'The avatar URL is not an image.')
  return { type, bytes }
}

/** The oldest go first. */
function trim(pictures: Map<string, Kept>): void {
  const sizeOf = ({ outcome }: Kept) => ('picture' in outcome ? outcome.picture.bytes.length : 0)
  let size = [...pictures.values()].reduce((sum, kept) => sum + sizeOf(kept), 0)
  for (const [key, kept] of pictures) {
    if (size <= mostKept && pictures.size <= 5_000) return
    pictures.delete(key)
    size -= sizeOf(kept)
  }
}

/** Picture type by the first bytes; undefined if browsers do not show it. */
export function sniffPicture(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 12).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'image/webp'
  if (/^ftypavi[fs]/.test(head.slice(4))) return 'image/avif'
  return isSvg(bytes.subarray(0, 4096).toString('utf8')) ? 'image/svg+xml' : undefined
}

/** Step by step: one expression for all of it would try every way to share out blanks, and a minter can send many. */
function isSvg(head: string): boolean {
  let text = head.replace(/^\uFEFF/, '').trimStart()
  for (let skipped = skip(text); skipped !== undefined; skipped = skip(text)) text = skipped.trimStart()
  return /^<svg[\s>]/i.test(text)
}

/** Skips a declaration, a comment or the document type. */
function skip(text: string): string | undefined {
  const end = text.startsWith('<!--') ? '-->' : /^(<\?xml|<!DOCTYPE svg)/i.test(text) ? '>' : undefined
  const at = end === undefined ? -1 : text.indexOf(end)
  return end === undefined || at < 0 ? undefined : text.slice(at + end.length)
}

/** Picture of an NFT with known metadata. */
export async function getNftPicture(context: Context, chain: Chain, nft: Nft, asker: string): Promise<Fetched> {
  const [record] = await findRecords(context, chain, [nft])
  // As written in the metadata: a derived address no longer shows who wrote it.
  const image = record?.metadata && findImage(record.metadata)
  if (typeof image !== 'string' || image === '')
    throw new CountersignError('ObjectNotFound', 'This NFT has no known image.')
  return getPicture(context, image, asker)
}

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
  if (!metadata && error) throw new CountersignError('ObjectNotFound', `The image could not be fetched. ${error}`)
  return getNftPicture(context, chain, { token, tokenId, kind }, asker)
}

function noPicture(): CountersignError {
  return new CountersignError('ObjectNotFound', 'The name has no avatar.', {
    details: 'The record "avatar" can be a URL (https, ipfs, ar, data:) or an NFT of its owner.',
  })
}
