import { setMaxListeners } from 'node:events'
import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'
import { createFetchQueue, type FetchQueue } from './createFetchQueue.ts'
import { type Fetched, fetchDocument } from './fetchDocument.ts'
import type { Nft } from './NftRecord.ts'
import type { Place } from './resolveUri.ts'

/** What a server fetches of metadata and pictures, and what waits for it. */
export type Fetcher = {
  queue: FetchQueue
  signal: AbortSignal
  /** Documents whose fetch has begun. */
  begun: Map<string, Promise<Fetched>>
  /** Metadata that lists asked for: of each asker, by chain, contract and id. */
  waiting: Map<string, Map<string, { chain: Chain; nft: Nft }>>
  /** Metadata that is being read, by asker, chain, contract and id. */
  underWay: Map<string, Promise<void>>
}

type Held = Fetcher & { control: AbortController }

const fetchers = new WeakMap<Context, Held>()

/** The one fetcher of a server, so that all who ask share its limits. */
export function getFetcher(context: Context): Fetcher {
  const known = fetchers.get(context)
  if (known) return known
  const control = new AbortController()
  // All that wait listen to it; the line is bounded.
  setMaxListeners(0, control.signal)
  const { concurrency, timeout } = context.config.nft
  const fetcher = {
    control,
    signal: control.signal,
    queue: createFetchQueue({ atOnce: concurrency, share: Math.ceil(concurrency / 4), patience: 3 * timeout }),
    begun: new Map(),
    waiting: new Map(),
    underWay: new Map(),
  }
  fetchers.set(context, fetcher)
  return fetcher
}

type How = {
  /** For whom it is fetched. */
  asker: string
  kind: 'metadata' | 'picture'
  accepts: (type: string) => boolean
  maxSize: number
}

/** Fetches a document when it is the asker's turn. One that is being fetched already is not fetched twice. */
export async function fetchInTurn(context: Context, place: Place, how: How): Promise<Fetched> {
  const { queue, signal, begun } = getFetcher(context)
  const { asker, kind, accepts, maxSize } = how
  const key = `${kind} ${place.url}`
  // Shared only once it has begun: who has to wait does so in a line of their own, not in that of another.
  const known = begun.get(key)
  if (known) return known
  const { document } = await queue({ host: place.host, asker, signal }, async () => {
    const other = begun.get(key)
    if (other) return { document: other }
    const settings = { ...context.config.nft, maxSize }
    const own = fetchDocument(place, { settings, accepts, signal }).finally(() => begun.delete(key))
    begun.set(key, own)
    await own
    return { document: own }
  })
  return document
}

/** Fetches nothing more: the server stops. */
export function endFetcher(context: Context): void {
  const fetcher = fetchers.get(context)
  fetcher?.waiting.clear()
  fetcher?.control.abort(new Error('The server stops.'))
}
