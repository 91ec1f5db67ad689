import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import type { LiveSession, LiveSessions, Subscription } from './Live.ts'

/** How long a session may be believed when the notification channel is silently cut, with the check itself. */
const longestTrust = 4_000

const often = 250

export type SessionEnds = {
  /** The session ended, expired or was revoked. */
  end: (session: LiveSession) => void
  /** The session has another token now. */
  renew: (session: LiveSession) => void
}

/**
 * Watches the sessions of subscribers, each by the token it was opened with, and reports those that ended and those
 * whose token was replaced: somebody who copied the token keeps no socket.
 */
export async function createSessions(context: Context, { end, renew }: SessionEnds): Promise<LiveSessions> {
  const { db, clock, log } = context
  const known = new Map<string, LiveSession>()
  const byUser = new Map<string, Set<LiveSession>>()
  const doubted = new Set<LiveSession>()
  let checking: Promise<void> | undefined
  let lastCheck = performance.now()

  const drop = (session: LiveSession) => {
    if (known.get(session.tokenKey) !== session) return
    known.delete(session.tokenKey)
    doubted.delete(session)
    const sessions = byUser.get(session.userId)
    sessions?.delete(session)
    if (sessions?.size === 0) byUser.delete(session.userId)
  }
  const finish = (session: LiveSession, report = end) => {
    drop(session)
    session.hasEnded = true
    report(session)
  }

  const check = async () => {
    while (doubted.size > 0) {
      const asked = [...doubted]
      doubted.clear()
      const rows = await listSessions(context, asked).catch((error) => {
        for (const session of asked) if (known.has(session.tokenKey)) doubted.add(session)
        throw error
      })
      const found = new Map(rows.map((row) => [row.id, row]))
      for (const session of asked) {
        const row = found.get(session.objectId)
        if (!row) finish(session)
        else if (row.token !== session.tokenKey) finish(session, renew)
        else session.expiresAt = Number(row.expires) * 1000
      }
    }
  }

  const startCheck = () => {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }
  const checkSoon = () =>
    void startCheck().catch((error) => log.warn({ err: error }, 'checking live query sessions failed, retrying soon'))

  const doubt = (sessions: Iterable<LiveSession>) => {
    for (const session of sessions) doubted.add(session)
    if (doubted.size > 0) checkSoon()
  }
  const doubtAll = () => {
    lastCheck = performance.now()
    doubt(known.values())
  }

  const look = () => {
    const now = clock.now().getTime()
    for (const session of [...known.values()]) if (session.expiresAt <= now) finish(session)
    if (performance.now() - lastCheck > longestTrust) doubtAll()
    else if (doubted.size > 0) checkSoon()
  }
  const timer = setInterval(look, often)
  timer.unref()
  const endings = await Promise.all([
    db.listen(
      'countersign_sessions',
      (key) => {
        const session = known.get(key)
        if (session) doubt([session])
      },
      doubtAll,
    ),
    db.listen('countersign_users', (userId) => doubt(byUser.get(userId) ?? []), doubtAll),
  ])

  return {
    take({ objectId, userId, expiresAt, tokenKey }) {
      const before = known.get(tokenKey)
      if (before) {
        before.uses++
        return before
      }
      const subscriptions = new Set<Subscription>()
      const session: LiveSession = { objectId, userId, expiresAt, tokenKey, subscriptions, uses: 1, hasEnded: false }
      known.set(tokenKey, session)
      byUser.set(userId, (byUser.get(userId) ?? new Set()).add(session))
      // It may have ended between the time it was looked up and now, when its end will be heard.
      doubt([session])
      return session
    },
    release(session) {
      if (--session.uses === 0) drop(session)
    },
    settle: () => (doubted.size > 0 || checking ? startCheck() : undefined),
    async stop() {
      clearInterval(timer)
      await Promise.all(endings.map((ending) => ending()))
      await checking?.catch(() => {})
    },
  }
}

/** The sessions and tokens that are still in the database, with the hash of the present token and the end in seconds. */
function listSessions({ db }: Context, sessions: readonly LiveSession[]) {
  const ids = sessions.map(({ objectId }) => objectId)
  return db.query<{ id: string; token: string; expires: number }>(sql`
    select s."objectId" as id, encode(s."_token_hash", 'base64') as token,
      date_part('epoch', s."expiresAt") as expires
    from "_Session" s
    where s."objectId" = any(${ids})
    union all
    select t.id, encode(t.hash, 'base64'), date_part('epoch', coalesce(t.expires, 'infinity'))
    from countersign.access_tokens t
    where t.id = any(${ids})`)
}
