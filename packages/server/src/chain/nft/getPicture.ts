import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { type Fetched, fetchDocument } from './fetchDocument.ts'
import { getFetcher } from './getFetcher.ts'
import { readDataUri } from './readDataUri.ts'
import { sniffPicture } from './sniffPicture.ts'

const mostBytes = 2 * 1024 * 1024
const mostKept = 32 * 1024 * 1024

type Kept = { at: number; picture: Promise<Fetched>; size: number; failed: boolean }

const shelves = new WeakMap<Context, Map<string, Kept>>()

/**
 * A picture whose address a stranger chose: http(s), or the picture itself in `data:`. It is read by the server, so
 * that a page need not tell that host who looks at it; what it is, is told by its first bytes and not by whoever sends
 * it.
 */
export async function getPicture(context: Context, image: string): Promise<Fetched> {
  const data = readDataUri(image)
  if (data) return checked(data)
  const shelf = shelves.get(context) ?? new Map<string, Kept>()
  shelves.set(context, shelf)
  const now = context.clock.now().getTime()
  const known = shelf.get(image)
  const { keepFor, retryAfter } = context.config.nft
  if (known && now - known.at < (known.failed ? retryAfter : keepFor) * 1000) return known.picture
  shelf.delete(image)
  const kept: Kept = { at: now, picture: fetchPicture(context, image), size: mostBytes, failed: false }
  shelf.set(image, kept)
  try {
    const picture = await kept.picture
    kept.size = picture.bytes.length
    return picture
  } catch (error) {
    kept.failed = true
    kept.size = 0
    throw error
  } finally {
    trim(shelf)
  }
}

async function fetchPicture(context: Context, url: string): Promise<Fetched> {
  const { nft } = context.config
  if (!nft.fetch) throw new CountersignError('ObjectNotFound', 'This server fetches no pictures (nft.fetch).')
  const { slot, signal } = getFetcher(context)
  const settings = { ...nft, maxSize: mostBytes }
  const accepts = (type: string) => /^(image\/[a-z+.-]+|(application|binary)\/octet-stream|)$/.test(type)
  try {
    return checked(await slot(() => fetchDocument(url, { settings, accepts, signal })))
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
  let size = [...shelf.values()].reduce((sum, kept) => sum + kept.size, 0)
  for (const [key, kept] of shelf) {
    if (size <= mostKept && shelf.size <= 5_000) return
    shelf.delete(key)
    size -= kept.size
  }
}
