import type { Context } from '../../../context/Context.ts'

type Entry<Value> = { value: Value; since: number }

/** How long an entry may be believed where the notifications are silently cut. */
const longestTrust = 5_000
const mostEntries = 20_000

/** What this process itself wrote is known at once, before the database tells. */
const ownWrites = /countersign\.chain_(state|sources|work)\b/

/** Keeps what was found until the index moves. While the database cannot tell of that, nothing is served from here. */
export function createCoverageMemory<Value>({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>) {
  const entries = new Map<string, Entry<Value>>()
  /** Counts what was forgotten: an answer that was on its way meanwhile may be stale and is not kept. */
  let forgotten = 0
  let isListening = false

  const forget = () => {
    forgotten++
    entries.clear()
  }

  const listen = async () => {
    await db.listen('countersign_chain_moved', forget, forget)
    db.watchWrites((text) => {
      if (ownWrites.test(text)) forget()
    })
    forget()
    isListening = true
  }
  if (!db.inside())
    listen().catch((error) => log.debug({ err: error }, 'how far chains are indexed is asked each time'))

  return {
    /** Reads through `load` where nothing is kept, and keeps what `holds` until the index moves. */
    async get(key: string, load: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
      // What a transaction reads may never come to be, and what it wrote is not told yet.
      if (!isListening || db.inside() || !db.listening()) return load()
      const now = clock.now().getTime()
      const kept = entries.get(key)
      if (kept && now - kept.since < longestTrust) return kept.value
      const since = forgotten
      const value = await load()
      if (since !== forgotten || !holds(value)) return value
      if (entries.size >= mostEntries) entries.clear()
      entries.set(key, { value, since: now })
      return value
    },
  }
}
