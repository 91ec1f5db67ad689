import { CountersignError, errorCodes } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { accessOf } from '../roles/accessOf.ts'
import { findSession } from '../users/sessions/findSession.ts'
import type { Identities, Identity, LiveClient, LiveParts, LiveSession, LiveSessions, Subscription } from './Live.ts'
import { frameCodes } from './sockets/frames.ts'

/** How long a session may be believed when the notification channel is silently cut, with the check itself. */
const longestTrust = 4_000

const often = 250

/** Watches the sessions of subscribers, and reports those that ended, expired or were revoked. */
export async function createSessions(context: Context, end: (session: LiveSession) => void): Promise<LiveSessions> {
  const { db, clock, log } = context
  const known = new Map<string, LiveSession>()
  const byToken = new Map<string, LiveSession>()
  const byUser = new Map<string, Set<LiveSession>>()
  const doubted = new Set<LiveSession>()
  let checking: Promise<void> | undefined
  let lastCheck = performance.now()

  const drop = (session: LiveSession) => {
    if (known.get(session.objectId) !== session) return
    known.delete(session.objectId)
    byToken.delete(session.tokenKey)
    doubted.delete(session)
    const sessions = byUser.get(session.userId)
    sessions?.delete(session)
    if (sessions?.size === 0) byUser.delete(session.userId)
  }
  const finish = (session: LiveSession) => {
    drop(session)
    session.hasEnded = true
    end(session)
  }

  const check = async () => {
    while (doubted.size > 0) {
      const asked = [...doubted]
      doubted.clear()
      const rows = await db
        .query<{
          id: string
          token: string
          expires: number
        }>(sql`
          select s."objectId" as id, encode(s."_token_hash", 'base64') as token,
            date_part('epoch', s."expiresAt") as expires
          from "_Session" s
          where s."objectId" = any(${asked.map(({ objectId }) => objectId)})`)
        .catch((error) => {
          for (const session of asked) if (known.has(session.objectId)) doubted.add(session)
          throw error
        })
      const found = new Map(rows.map((row) => [row.id, row]))
      for (const session of asked) {
        const row = found.get(session.objectId)
        if (!row) finish(session)
        else renew(session, row.token, Number(row.expires) * 1000)
      }
    }
  }

  /** A token may be renewed: the session is the same, and its end will be known by the new one. */
  const renew = (session: LiveSession, tokenKey: string, expiresAt: number) => {
    session.expiresAt = expiresAt
    if (session.tokenKey === tokenKey || !known.has(session.objectId)) return
    byToken.delete(session.tokenKey)
    session.tokenKey = tokenKey
    byToken.set(tokenKey, session)
  }

  const startCheck = () => {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }
  const checkSoon = () =>
    void startCheck().catch((error) =>
      log.warn({ err: error }, 'sessions of live queries could not be checked; tried again soon'),
    )

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
        const session = byToken.get(key)
        if (session) doubt([session])
      },
      doubtAll,
    ),
    db.listen('countersign_users', (userId) => doubt(byUser.get(userId) ?? []), doubtAll),
  ])

  return {
    take({ objectId, userId, expiresAt, tokenKey }) {
      const before = known.get(objectId)
      if (before) {
        before.uses++
        return before
      }
      const subscriptions = new Set<Subscription>()
      const session: LiveSession = { objectId, userId, expiresAt, tokenKey, subscriptions, uses: 1, hasEnded: false }
      known.set(objectId, session)
      byToken.set(tokenKey, session)
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

/** Identities of live queries, with their entities. */
export function createIdentities(context: Context): Identities {
  const known = new Map<string, Identity>()
  let doubts = 0

  const settleAll = async (stale: Identity[]) => {
    const before = doubts
    const ids = stale.flatMap(({ access }) => access.userId ?? [])
    const roles = await findRolesOf(context, ids)
    for (const identity of stale) {
      const { userId } = identity.access
      if (userId === undefined) continue
      const entities = ['*', userId, ...(roles.get(userId) ?? []).map((name) => `role:${name}`)]
      if (!isSame(entities, identity.access.entities)) identity.access = { isMaster: false, userId, entities }
      if (before === doubts) identity.isStale = false
    }
  }

  return {
    async take(caller) {
      const key = keyOf(caller)
      const before = doubts
      const access = known.get(key)?.access ?? (await accessOf(context, { ...caller }))
      // Another may have been added in between.
      const identity = known.get(key) ?? { key, access, rights: new Map(), isStale: before !== doubts, uses: 0 }
      known.set(key, identity)
      identity.uses++
      return identity
    },
    release(identity) {
      if (--identity.uses === 0 && known.get(identity.key) === identity) known.delete(identity.key)
    },
    doubt() {
      doubts++
      for (const identity of known.values()) if (hasRoles(identity)) identity.isStale = true
    },
    settle() {
      const stale = [...known.values()].filter(({ isStale }) => isStale)
      return stale.length > 0 ? settleAll(stale) : undefined
    },
  }
}

function keyOf({ isMaster, session }: Caller): string {
  return `${isMaster ? 'master' : 'user'} ${session?.userId ?? ''}`
}

function hasRoles({ access }: Identity): boolean {
  return !access.isMaster && access.userId !== undefined
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entity) => other.includes(entity))
}

/** As `findRoles` does it, for many. */
async function findRolesOf({ db }: Context, userIds: string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<{ user: string; name: string }>(sql`
    with recursive held as (
      select "relatedId" as holder, "owningId" as id from public."_Join:users:_Role" where "relatedId" = any(${userIds})
      union
      select held.holder, j."owningId" from held join public."_Join:roles:_Role" j on j."relatedId" = held.id
    )
    select held.holder as user, r."name"
    from held
    join public."_Role" r on r."objectId" = held.id`)
  const found = new Map<string, string[]>()
  for (const { user, name } of rows) found.set(user, [...(found.get(user) ?? []), name])
  return found
}

/** Caller that a client acts for: by the token of the request, else by the token of its connection. */
export async function callerFor(parts: LiveParts, client: LiveClient, token: string | undefined): Promise<Caller> {
  if (!client.caller) {
    throw new CountersignError(
      frameCodes.unknownClient,
      'Can not find this client, make sure you connect to server before subscribing',
    )
  }
  // Every change of keys closes the socket; a message processed in the same turn must not pass.
  if (client.caller.keysHold?.() === false) throw retired()
  const given = token ?? client.token
  if (given === undefined) return { ...client.caller }
  try {
    const session = await findSession(parts.context, given)
    countUser(parts, client, session.userId)
    return { ...client.caller, session }
  } catch (error) {
    const isOver = error instanceof CountersignError && error.code === errorCodes.InvalidSessionToken
    // The older clients keep the token of their first moment for ever; without one of its own a query is a guest's.
    if (isOver && token === undefined && !client.positions) return { ...client.caller }
    throw error
  }
}

export const retired = () =>
  new CountersignError(frameCodes.wrongKey, 'The key of this connection is not valid any more.')

function countUser({ context, users }: LiveParts, client: LiveClient, userId: string): void {
  if (client.users.has(userId)) return
  const sockets = users.get(userId) ?? new Set()
  const { maxSocketsPerUser } = context.config.liveQuery
  if (sockets.size >= maxSocketsPerUser) {
    throw new CountersignError(
      'RequestLimitExceeded',
      `A user may have ${maxSocketsPerUser} sockets at most. Close one, or raise liveQuery.maxSocketsPerUser.`,
    )
  }
  users.set(userId, sockets.add(client))
  client.users.add(userId)
}
