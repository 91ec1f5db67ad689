import { setMaxListeners } from 'node:events'
import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { Chain } from '../nodes/Chain.ts'
import { type Fetched, fetchDocument, type Place } from './fetchDocument.ts'
import type { Nft } from './Nft.ts'

/** Running and waiting fetches of metadata and pictures. */
export type Fetcher = {
  queue: FetchQueue
  signal: AbortSignal
  /** Fetches nothing more: the server stops. */
  stop(): void
  /** Documents whose fetch has begun. */
  begun: Map<string, Promise<Fetched>>
  /** Metadata that lists asked for: of each asker, by chain, contract and id. */
  waiting: Map<string, Map<string, { chain: Chain; nft: Nft }>>
  /** Metadata that is being read, by asker, chain, contract and id. */
  underWay: Map<string, Promise<void>>
}

declare module '../../context/Context.ts' {
  interface Services {
    fetcher?: Fetcher
  }
}

/** The one fetcher of a server, so that all who ask share its limits. */
export function getFetcher(context: Context): Fetcher {
  const { fetcher: known } = context.services
  if (known) return known
  const control = new AbortController()
  // Every waiting fetch listens to the signal; the queue is bounded.
  setMaxListeners(0, control.signal)
  const { concurrency, timeout } = context.config.nft
  const waiting: Fetcher['waiting'] = new Map()
  const fetcher: Fetcher = {
    signal: control.signal,
    stop() {
      waiting.clear()
      control.abort(new Error('The server is stopping.'))
    },
    queue: createFetchQueue({ atOnce: concurrency, share: Math.ceil(concurrency / 4), patience: 3 * timeout }),
    begun: new Map(),
    waiting,
    underWay: new Map(),
  }
  context.services.fetcher = fetcher
  return fetcher
}

type How = {
  /** Caller that the document is fetched for. */
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
  // Shared only once started: a waiting caller uses its own queue, not that of another.
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

export type Fetch = {
  /** Host, or content id at a gateway. */
  host: string
  /** Caller that the document is fetched for. */
  asker: string
  /** Ends the waiting; what is under way has to end itself. */
  signal: AbortSignal
}

export type FetchQueue = <Result>(fetch: Fetch, work: () => Promise<Result>) => Promise<Result>

type Limits = {
  atOnce: number
  /** How many of those one host, and one asker, may have. */
  share: number
  /** Milliseconds that one waits at most. */
  patience: number
  longest?: number
  longestEach?: number
}

type Waiting = Fetch & { start(): void }

/**
 * Runs a limited number of fetches, with a share per host and per caller: a slow host or a busy caller delays nobody
 * else. The caller with the fewest running fetches is first. The queue is limited in length, also per caller, and in
 * time; rejected callers may retry.
 */
export function createFetchQueue({ atOnce, share, patience, longest = 512, longestEach = 32 }: Limits): FetchQueue {
  const line = new Set<Waiting>()
  const hosts = new Map<string, number>()
  const askers = new Map<string, number>()
  let running = 0

  const countOf = (counts: Map<string, number>, key: string) => counts.get(key) ?? 0
  const add = (counts: Map<string, number>, key: string, by: 1 | -1) => {
    const count = countOf(counts, key) + by
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
  const mayStart = ({ host, asker }: Fetch) =>
    running < atOnce && countOf(hosts, host) < share && countOf(askers, asker) < share
  const note = ({ host, asker }: Fetch, by: 1 | -1) => {
    running += by
    add(hosts, host, by)
    add(askers, asker, by)
  }

  const findNext = () => {
    let next: Waiting | undefined
    for (const waiting of line) {
      if (!mayStart(waiting)) continue
      if (!next || countOf(askers, waiting.asker) < countOf(askers, next.asker)) next = waiting
    }
    return next
  }
  // One end may start two: one that waited for its host, one that waited for its caller.
  const startNext = () => {
    for (let next = findNext(); next; next = findNext()) next.start()
  }

  const wait = (fetch: Fetch) => {
    const own = [...line].filter(({ asker }) => asker === fetch.asker).length
    if (line.size >= longest || own >= longestEach) throw tooMany()
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        line.delete(waiting)
        clearTimeout(timer)
        fetch.signal.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        leave()
        reject(fetch.signal.reason)
      }
      const timer = setTimeout(() => {
        leave()
        reject(tooMany())
      }, patience)
      const waiting: Waiting = {
        ...fetch,
        start() {
          leave()
          note(fetch, 1)
          resolve()
        },
      }
      fetch.signal.addEventListener('abort', giveUp)
      line.add(waiting)
    })
  }

  return async (fetch, work) => {
    fetch.signal.throwIfAborted()
    if (mayStart(fetch)) note(fetch, 1)
    else await wait(fetch)
    try {
      return await work()
    } finally {
      note(fetch, -1)
      startNext()
    }
  }
}

function tooMany(): CountersignError {
  return new CountersignError(
    'RequestLimitExceeded',
    'Too many external documents are being fetched. Try again in a moment.',
    { rateLimit: { retryAfter: 5 } },
  )
}

/** Returns true if the queue was full, which says nothing about the document. */
export const isTooMany = (error: unknown): boolean => error instanceof CountersignError && error.code === 155
