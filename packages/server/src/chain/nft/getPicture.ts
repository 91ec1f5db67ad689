import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { isTooMany } from './createFetchQueue.ts'
import type { Fetched } from './fetchDocument.ts'
import { fetchInTurn } from './getFetcher.ts'
import { readDataUri } from './readDataUri.ts'
import { resolveUri } from './resolveUri.ts'
import { sniffPicture } from './sniffPicture.ts'

const mostBytes = 2 * 1024 * 1024
const mostKept = 32 * 1024 * 1024

type Kept = { at: number; outcome: { picture: Fetched } | { error: unknown } }

const shelves = new WeakMap<Context, Map<string, Kept>>()

/**
 * A picture by the URI that a stranger chose: http(s), ipfs, ar, or the picture itself in `data:`. It is read by the
 * server, so that a page need not tell that host who looks at it; what it is, is told by its first bytes and not by
 * whoever sends it.
 */
export async function getPicture(context: Context, uri: string, asker: string): Promise<Fetched> {
  const data = readDataUri(uri)
  if (data) return checked(data)
  const shelf = shelves.get(context) ?? new Map<string, Kept>()
  shelves.set(context, shelf)
  const known = shelf.get(uri)
  const kept = known && isFresh(context, known) ? known : await fetchKept(context, uri, asker)
  if (kept !== known) {
    shelf.delete(uri)
    shelf.set(uri, kept)
    trim(shelf)
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
  if (!nft.fetch) throw new CountersignError('ObjectNotFound', 'This server fetches no pictures (nft.fetch).')
  const place = resolveUri(nft, uri)
  if (!place) throw new CountersignError('ObjectNotFound', 'What is named as the picture is none.')
  const accepts = (type: string) => /^(image\/[a-z+.-]+|(application|binary)\/octet-stream|)$/.test(type)
  try {
    return checked(await fetchInTurn(context, place, { asker, kind: 'picture', accepts, maxSize: mostBytes }))
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new CountersignError('ObjectNotFound', `The picture could not be fetched. ${reason}`)
  }
}

function checked({ bytes }: Fetched): Fetched {
  const type = bytes.length <= mostBytes ? sniffPicture(bytes) : undefined
  if (!type) throw new CountersignError('ObjectNotFound', 'What is named as the picture is none.')
  return { type, bytes }
}

/** The oldest go first. */
function trim(shelf: Map<string, Kept>): void {
  const sizeOf = ({ outcome }: Kept) => ('picture' in outcome ? outcome.picture.bytes.length : 0)
  let size = [...shelf.values()].reduce((sum, kept) => sum + sizeOf(kept), 0)
  for (const [key, kept] of shelf) {
    if (size <= mostKept && shelf.size <= 5_000) return
    shelf.delete(key)
    size -= sizeOf(kept)
  }
}
