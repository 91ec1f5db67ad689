import { CountersignError } from '@countersign/protocol'

export type Fetch = {
  /** Whose document it is: a host, or the content of a gateway. */
  host: string
  /** For whom it is fetched. */
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
 * Lets so many fetches run at once, of one host and for one asker only a share of them: a host that takes its time, or a
 * caller who asks for much, holds up nobody else. Of those that may start, the one whose asker has the least under way
 * is first. The line is bounded in length, for each asker too, and in time; who is sent away may try again.
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
  // One that ends may let two start: one that waited for its host, and one that waited for its asker.
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
    'Too many documents of other hosts are being fetched. Try again in a moment.',
    { rateLimit: { retryAfter: 5 } },
  )
}

/** Whether it was not fetched for want of a place: that says nothing of the document. */
export const isTooMany = (error: unknown): boolean => error instanceof CountersignError && error.code === 155
