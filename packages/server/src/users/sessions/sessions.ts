import { refuse, type SessionRecord } from '@countersign/protocol'
import { type BaseRow, columnNames, decodeRow } from '../../classes/decodeRow.ts'
import { fillFileUrls } from '../../classes/fileUrls.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { decrypt, hashToken, newToken } from '../../keys/secrets.ts'
import { findBegin } from '../email/emailChanges.ts'
import { changeHolder } from '../holders/changeHolder.ts'
import { makeSensitiveChange } from '../sensitiveChanges.ts'
import { checkConfirmation, type ProvenAgain } from './admit.ts'
import { createSession, forgetSessions } from './createSession.ts'

export type SessionRow = BaseRow & { _proof?: Buffer | null } & Record<string, unknown>

/** A session as its owner sees it. Nothing of the token but its hash is known, so none is shown. */
export function encodeSession(context: Context, caller: Caller, row: SessionRow): SessionRecord {
  const schema = context.classes.get('_Session')
  const session = fillFileUrls(context, schema, decodeRow(schema, row)) as SessionRecord
  const proof = row._proof ? decrypt(context.keys, 'session proof', row._proof) : undefined
  if (proof !== undefined) session.proof = JSON.parse(proof)
  return caller.session?.objectId === session.objectId ? { ...session, current: true } : session
}

/** Live sessions: of one user, or with one id, or both. A part that is `null` does not narrow. */
export function selectSessions(
  { db, classes, clock }: Context,
  { userId, objectId }: { userId: string | null; objectId: string | null },
): Promise<SessionRow[]> {
  const columns = [...columnNames(classes.get('_Session')), '_proof'].map((name) => sql.id(name))
  const ofUser = userId === null ? sql`true` : sql`"user" = ${userId}`
  const withId = objectId === null ? sql`true` : sql`"objectId" = ${objectId}`
  return db.query<SessionRow>(sql`
    select ${sql.join(columns)} from "_Session"
    where ${ofUser} and ${withId} and "expiresAt" > ${clock.now()}
    order by "lastUsedAt" desc nulls last, "createdAt" desc
    limit 1000`)
}

/** One session, if it is the caller's own. */
export async function getSession(context: Context, caller: Caller, objectId: string): Promise<SessionRecord> {
  const userId = caller.isMaster ? null : requireSession(caller).userId
  const [row] = await selectSessions(context, { userId, objectId })
  if (!row) throw refuse('objectNotFound')
  return encodeSession(context, caller, row)
}

/** The caller's session, or 209. */
export function requireSession(caller: Caller): NonNullable<Caller['session']> {
  if (!caller.session) throw refuse('invalidSessionToken')
  return caller.session
}

/**
 * Confirms the caller's session by a new proof: the last step of every confirmation, which judges the proof. The
 * session gets a new token, so that someone who planted or read the old one gains nothing (session fixation).
 */
export async function confirmSession(
  context: Context,
  caller: Caller,
  proven: ProvenAgain,
): Promise<{ token: string; confirmedAt: Date }> {
  const { db, clock, sessionCache } = context
  const { objectId, tokenKey, userId } = requireSession(caller)
  return db.transaction(async () => {
    // The proof took a while. What takes it away holds the user too: it was first and is seen here, or it waits.
    await db.query(sql`select from "_User" where "objectId" = ${userId} for share`)
    if ((await db.query(proven.still)).length === 0) throw refuse('invalidCredentials')
    await checkConfirmation(context, caller, proven)
    const token = `r:${newToken()}`
    const confirmedAt = clock.now()
    const kept = await db.query(sql`
      update "_Session" set "_previous_hash" = "_token_hash", "_rotated" = ${confirmedAt},
        "_token_hash" = ${hashToken(token)}, "_confirmed" = ${confirmedAt}, "updatedAt" = ${confirmedAt},
        "_methods" = ${[proven.by, ...(proven.hasSecondFactor ? ['secondCode'] : [])]}::text[]
      where "objectId" = ${objectId}
      returning 1`)
    if (kept.length === 0) throw refuse('invalidSessionToken')
    db.reportChange('_Session')
    db.afterCommit(() => sessionCache.forgetSession(tokenKey))
    return { token, confirmedAt }
  })
}

/** Ends one session of the caller's own; with the master key, anyone's. */
export async function revokeSession(context: Context, caller: Caller, objectId: string): Promise<Record<never, never>> {
  const userId = caller.isMaster ? null : requireSession(caller).userId
  const owner = userId === null ? sql`true` : sql`"user" = ${userId}`
  const ended = await context.db.query<{ _token_hash: Buffer; user: string }>(
    sql`delete from "_Session" where "objectId" = ${objectId} and ${owner} returning "_token_hash", "user"`,
  )
  if (ended.length === 0) {
    // Another request ended it a moment ago: what follows in this batch is not served from the cache either.
    if (caller.session) context.sessionCache.forgetSession(caller.session.tokenKey)
    // The same response for another user's session and for none: ids cannot be probed.
    throw refuse('invalidSessionToken')
  }
  forgetSessions(context, ended)
  if (caller.session?.objectId !== objectId) for (const { user } of ended) await forgetDevices(context, user)
  return {}
}

/** Ends every session of the caller but this one. */
async function revokeOtherSessions(context: Context, caller: Caller): Promise<{ revoked: number }> {
  const session = requireSession(caller)
  return { revoked: await endSessions(context, session.userId, session.objectId) }
}

/** Of a session that was ended from elsewhere the browser may be in other hands: no browser passes for a second factor. */
async function forgetDevices({ db }: Context, userId: string): Promise<void> {
  await db.query(sql`delete from countersign.remembered_devices where "user" = ${userId}`)
}

/** Ends the sessions of a user, all but the one to keep, what was begun in them, and remembered browsers. */
export function endSessions(context: Context, userId: string, keep: string | null): Promise<number> {
  return changeHolder(context, userId, 'other sessions signed out', { keep })
}

/**
 * Opens a further session of the same user. It replaces none, because it has no installation. Without a new proof it
 * counts as confirmed when the caller's session was, and ends with that one at the latest.
 */
export async function openSession(context: Context, caller: Caller): Promise<SessionRecord> {
  const { objectId, userId, confirmedAt, expiresAt } = requireSession(caller)
  return makeSensitiveChange(context, caller, 'createSession', userId, async () => {
    const made = await createSession(context, { ...caller, installationId: undefined }, userId, {
      by: 'session',
      createdWith: { action: 'create' },
      confirmed: new Date(confirmedAt),
      expires: new Date(expiresAt),
      began: await findBegin(context, objectId),
    })
    const [row] = await selectSessions(context, { userId, objectId: made.objectId })
    if (!row) throw new Error('the new session does not exist')
    return { ...encodeSession(context, caller, row), sessionToken: made.token }
  })
}

export const revokeSessionEndpoint = defineEndpoint('revokeSession', {
  handle: ({ context, caller, params }) => revokeSession(context, caller, params.objectId),
})

export const revokeOtherSessionsEndpoint = defineEndpoint('revokeOtherSessions', {
  handle: ({ context, caller }) => revokeOtherSessions(context, caller),
})
