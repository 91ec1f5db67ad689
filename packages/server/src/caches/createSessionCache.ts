import type { TokenKind, UserRecord, WireFields } from '@countersign/protocol'
import { type Clock, isNear } from '../clock/Clock.ts'
import type { Database } from '../db/Database.ts'
import type { Scope } from '../scopes/Scope.ts'

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
  /** Opener of the session as named in the audit log; absent if the user opened it. */
  openedBy?: string
  user: WireFields
  /** Present for a token with a scope, absent for a session. */
  grant?: Grant
}

/** Facts about a token with a scope. */
export type Grant = {
  /** Id of the token, for rate limits and the audit log. */
  id: string
  kind: TokenKind
  /** Name given by its owner or, for `oauth`, of the client. */
  name: string
  scope: Scope
  /** Service account that a `service` token acts for. */
  service?: { id: string; name: string }
  /** OAuth client. */
  client?: string
  /** Resource that an OAuth token is for (RFC 8707). */
  audience?: string
  /** Thumbprint of the key that the token is bound to (DPoP). */
  jkt?: string
  /** Judges the caller's address; absent if every address is allowed. */
  isAllowedFrom?: (address: string) => boolean
}

/** A token with a scope as a caller holds it. Those without a person have an empty user. */
export type HeldToken = HeldSession & { grant: Grant }

/** The same as a caller holds it: with its token, and the hash of it that the database knows. */
export type HeldSession = KnownSession & {
  token: string
  tokenKey: string
  /** The response with the user and the token, from the first request for it on: the same until the user changes. */
  ownUser?: { output: UserRecord }
}

export type SessionCache = {
  /** By the token itself, so that nothing has to be hashed on the way of every request. */
  find(token: string, now: number): HeldSession | undefined
  /** Reads through `load` and keeps the result, unless anything was forgotten in the meantime. */
  load(
    held: Pick<HeldSession, 'token' | 'tokenKey'>,
    load: () => Promise<KnownSession | undefined>,
  ): Promise<HeldSession | undefined>
  forgetSession(key: string): void
  forgetUser(userId: string): void
  close(): Promise<void>
}

type Entry = { session: HeldSession; since: number }

/** How long an entry may be believed when the notification channel is silently cut. */
const longestTrust = 5_000
const mostEntries = 20_000

/**
 * Sessions by token. An entry is dropped when the database reports that its session ended or its user changed; while
 * the database cannot report, nothing is served from here. Entries that are too old go with the next one that comes:
 * no token stays in memory because its session was used once.
 */
export async function createSessionCache(
  { db, clock }: { db: Database; clock: Clock },
  enabled: boolean,
): Promise<SessionCache> {
  /** By the hash, which the database reports; oldest first. */
  const entries = new Map<string, Entry>()
  const byToken = new Map<string, Entry>()
  const keysOfUser = new Map<string, Set<string>>()
  /** Number of invalidations: a result that was in flight during one may be stale and is not cached. */
  let forgotten = 0

  const drop = (key: string) => {
    const entry = entries.get(key)
    if (!entry) return
    const { token, userId } = entry.session
    entries.delete(key)
    byToken.delete(token)
    const keys = keysOfUser.get(userId)
    keys?.delete(key)
    if (keys?.size === 0) keysOfUser.delete(userId)
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
    byToken.clear()
    keysOfUser.clear()
  }

  const keep = (session: HeldSession, since: number) => {
    for (const [key, entry] of entries) {
      if (isNear(entry.since, since, longestTrust) && entries.size < mostEntries) break
      drop(key)
    }
    const { token, tokenKey, userId } = session
    drop(tokenKey)
    const entry = { session, since }
    entries.set(tokenKey, entry)
    byToken.set(token, entry)
    const keys = keysOfUser.get(userId) ?? new Set()
    keysOfUser.set(userId, keys.add(tokenKey))
  }

  const endings = enabled
    ? await Promise.all([
        db.listen('countersign_sessions', forgetSession, forgetAll),
        db.listen('countersign_users', forgetUser, forgetAll),
      ])
    : []

  return {
    find(token, now) {
      const entry = byToken.get(token)
      if (!entry || !db.listening()) return undefined
      if (isNear(entry.since, now, longestTrust)) return entry.session
      drop(entry.session.tokenKey)
      return undefined
    },
    async load(held, load) {
      // Inside a transaction a session may be read that never comes to be.
      const isKept = enabled && !db.inside()
      const before = forgotten
      const since = clock.ms()
      const known = await load()
      if (!known) return undefined
      const session = { ...known, ...held }
      if (isKept && forgotten === before && db.listening()) keep(session, since)
      return session
    },
    forgetSession,
    forgetUser,
    async close() {
      await Promise.all(endings.map((end) => end()))
    },
  }
}
