import type { WireFields } from '@countersign/protocol'
import type { Clock } from '../clock/Clock.ts'
import type { Database } from '../db/Database.ts'

/** A session that was looked up, with its user. */
export type KnownSession = {
  objectId: string
  userId: string
  /** Times in milliseconds since 1970. */
  expiresAt: number
  lastUsedAt: number
  /** When the user last showed a proof in this session. */
  confirmedAt: number
  /** A guest, who signs in by an id that the client drew. */
  isAnonymous: boolean
  user: WireFields
}

export type SessionCache = {
  find(key: string): KnownSession | undefined
  /** Reads through `load` and keeps the answer, unless anything was forgotten meanwhile. */
  load(key: string, load: () => Promise<KnownSession | undefined>): Promise<KnownSession | undefined>
  forgetSession(key: string): void
  forgetUser(userId: string): void
  close(): Promise<void>
}

/** How long an entry may be believed when the notification channel is silently cut. */
const longestTrust = 5_000
const mostEntries = 20_000

/**
 * Sessions by token hash. An entry is dropped when the database tells that its session ended or its
 * user changed; while the database cannot tell, nothing is served from here.
 */
export async function createSessionCache(
  { db, clock }: { db: Database; clock: Clock },
  enabled: boolean,
): Promise<SessionCache> {
  const entries = new Map<string, { known: KnownSession; since: number }>()
  const keysOfUser = new Map<string, Set<string>>()
  /** Counts what was forgotten: an answer that was on its way meanwhile may be stale and is not kept. */
  let forgotten = 0

  const drop = (key: string) => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    const keys = keysOfUser.get(entry.known.userId)
    keys?.delete(key)
    if (keys?.size === 0) keysOfUser.delete(entry.known.userId)
  }
  const forgetSession = (key: string) => {
    forgotten++
    drop(key)
  }
  const forgetUser = (userId: string) => {
    forgotten++
    for (const key of [...(keysOfUser.get(userId) ?? [])]) drop(key)
  }

  const forgetAll = () => {
    forgotten++
    entries.clear()
    keysOfUser.clear()
  }

  const endings = enabled
    ? await Promise.all([
        db.listen('countersign_sessions', forgetSession, forgetAll),
        db.listen('countersign_users', forgetUser, forgetAll),
      ])
    : []

  return {
    find(key) {
      const entry = entries.get(key)
      if (!entry || !db.listening()) return undefined
      if (clock.now().getTime() - entry.since < longestTrust) return entry.known
      drop(key)
      return undefined
    },
    async load(key, load) {
      // Inside a transaction a session may be read that never comes to be.
      if (db.inside()) return load()
      const before = forgotten
      const since = clock.now().getTime()
      const known = await load()
      if (!enabled || !known || forgotten !== before || !db.listening()) return known
      if (entries.size >= mostEntries) drop(entries.keys().next().value as string)
      entries.set(key, { known, since })
      const keys = keysOfUser.get(known.userId) ?? new Set()
      keysOfUser.set(known.userId, keys.add(key))
      return known
    },
    forgetSession,
    forgetUser,
    async close() {
      await Promise.all(endings.map((end) => end()))
    },
  }
}
