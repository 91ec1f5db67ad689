import { randomUUID } from 'node:crypto'
import { refuse } from '@countersign/protocol'
import { newObjectId } from '../../classes/names.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { type Fragment, type Param, sql } from '../../db/sql.ts'
import { encrypt, hashToken, newToken } from '../../keys/secrets.ts'
import { alertNewDevice } from '../email/notifyOwner.ts'
import { isLockedSql } from '../UserRow.ts'
import { admit, confirmedBy, methodsOf, type Proven } from './admit.ts'

export type NewSession = { objectId: string; token: string; expiresAt: Date }

/** Signed message that opened a session. Stored with it, encrypted, for its owner to see. */
export type SessionProof = { message: string; signature: string }

/** Columns of a new session but its user, in the order of `values`. */
const sessionColumns = sql`"objectId", "createdAt", "updatedAt", "_token_hash", "expiresAt", "createdWith",
  "installationId", "userAgent", "ipAddress", "lastUsedAt", "_confirmed", "_proof", "_began", "_methods"`

/** A session to be opened: its token, and the values of its row. */
type SessionDraft = NewSession & {
  values: Fragment
  named: { objectId: Param; now: Param; createdWith: Param; userAgent: Param; ipAddress: Param; installationId: Param }
}

/** `confirmed` is the time of the last proof, if that did not open this session. */
function draftSession(
  { config, clock, keys }: Context,
  caller: Caller,
  proven: Proven,
  confirmed: Date | undefined,
  { expires, began }: Pick<Inherited, 'expires' | 'began'> = {},
): SessionDraft {
  const { createdWith, proof } = proven
  const at = clock.now()
  const token = `r:${newToken()}`
  const longest = new Date(at.getTime() + config.sessionLength * 1000)
  const expiresAt = expires && expires < longest ? expires : longest
  const encrypted = proof ? encrypt(keys, 'session proof', JSON.stringify(proof)) : null
  const id = newObjectId()
  const named = {
    objectId: sql.param(id),
    now: sql.param(at),
    createdWith: sql.param(createdWith),
    installationId: sql.param(caller.installationId ?? null),
    userAgent: sql.param(caller.userAgent?.slice(0, 512) ?? null),
    ipAddress: sql.param(caller.ipAddress),
  }
  const { objectId, now, installationId, userAgent, ipAddress } = named
  // Values in a select list have no column to take their type from, so each one says it.
  const values = sql`${objectId}::text, ${now}::timestamptz, ${now}::timestamptz, ${hashToken(token)}::bytea,
    ${expiresAt}::timestamptz, ${named.createdWith}::jsonb, ${installationId}::text, ${userAgent}::text,
    ${ipAddress}::text, ${now}::timestamptz, ${confirmed ?? at}::timestamptz, ${encrypted}::bytea,
    ${began ?? null}::timestamptz, ${methodsOf(proven)}::text[]`
  return { objectId: id, token, expiresAt, values, named }
}

/**
 * The one insert of sessions, as CTEs: a session for the user whom `held` yields as "user", and a note in the activity.
 * One installation has one session of a user: the earlier ones end, and `replaced` yields their keys.
 */
function insertSession({ values, named }: SessionDraft, held: Fragment, action: 'signIn' | 'signUp'): Fragment {
  const { objectId, now, createdWith, installationId, userAgent, ipAddress } = named
  return sql`
    held as (${held}), replaced as (
      delete from "_Session" s using held
      where s."user" = held."user" and s."installationId" = ${installationId}::text
      returning encode(s."_token_hash", 'base64') as key
    ), made as (
      insert into "_Session" (${sessionColumns}, "user") select ${values}, "user" from held returning "user"
    ), noted as (
      insert into countersign.activity (id, "user", action, details, "ipAddress", "userAgent", at)
      select ${randomUUID()}::text, "user", ${action}::text,
        ${createdWith}::jsonb || jsonb_build_object('session', ${objectId}::text),
        ${ipAddress}::text, ${userAgent}::text, ${now}::timestamptz
      from held
    )`
}

/** Conditions that must still be true when the session opens, because the proof took time. */
export type StillHolds = {
  /** Condition on the user's row `u`. */
  while?: Fragment
  /** Finds the proof in another table, if it still opens the account. */
  still?: Fragment
}

/** For a session that continues another: as confirmed, and as long at most, as that one, and begun with it. */
type Inherited = { confirmed?: Date | undefined; expires?: Date | undefined; began?: Date | undefined }

/**
 * Opens a session and notes it in the user's activity: the last step of every sign-in. What was proven is judged here,
 * by `admit`, and a locked account has no sessions. Returns whether its opening confirmed it.
 */
export async function createSession(
  context: Context,
  caller: Caller,
  userId: string,
  proven: Proven & StillHolds & Inherited,
): Promise<NewSession & { isConfirmed: boolean }> {
  const { db } = context
  const { still } = proven
  const { confirmed = proven.confirmed } = await admit(context, caller, userId, proven)
  const draft = draftSession(context, caller, proven, confirmed, proven)
  const open = async () => {
    const held = sql`
      select "objectId" as "user" from "_User" u
      where "objectId" = ${userId}::text and not ${isLockedSql} and ${proven.while ?? sql`true`}
      for share`
    const rows = await db.query<{ key: string | null }>(sql.prepared`
      with ${insertSession(draft, held, proven.by === 'signUp' ? 'signUp' : 'signIn')}
      select replaced.key from made left join replaced on true`)
    if (rows.length === 0) throw refuse(proven.while ? 'invalidCredentials' : 'accountLocked')
    forgetKeys(
      context,
      rows.map(({ key }) => key),
    )
  }
  if (still) {
    // Whatever takes the proof away holds the user too: either it was first and is seen here, or it waits, and then
    // ends this session with the others.
    await db.transaction(async () => {
      const held = await db.query(sql`
        select from "_User" u where "objectId" = ${userId} and not ${isLockedSql} for share`)
      if (held.length === 0 || (await db.query(still)).length === 0) throw refuse('invalidCredentials')
      await open()
    })
  } else await open()
  if (proven.createdWith.action === 'login') alertNewDevice(context, caller, userId, draft.objectId)
  const { objectId, token, expiresAt } = draft
  return { objectId, token, expiresAt, isConfirmed: confirmed === undefined }
}

/** A statement that proves or creates the user, and opens the session in one. */
type OpeningStatement = NewSession & {
  /** CTEs, to be preceded by `with`. They yield `held` and `replaced`. */
  ctes: Fragment
}

/**
 * The same for a sign-in or sign-up that is one statement: `held` finds or makes the user, by the conditions that
 * `admit.ts` hands out, or after `admit` has let the proof through.
 */
export function draftOpening(
  context: Context,
  caller: Caller,
  proven: Proven,
  held: (now: Param) => Fragment,
  confirmed?: Date,
): OpeningStatement {
  const draft = draftSession(context, caller, proven, confirmed ?? confirmedBy(proven.by))
  const ctes = insertSession(draft, held(draft.named.now), proven.by === 'signUp' ? 'signUp' : 'signIn')
  const { objectId, token, expiresAt } = draft
  return { objectId, token, expiresAt, ctes }
}

function forgetKeys({ db, sessionCache }: Context, keys: (string | null)[]): void {
  db.reportChange('_Session')
  db.afterCommit(() => {
    for (const key of keys) if (key !== null) sessionCache.forgetSession(key)
  })
}

/** Drops ended sessions from this server's cache immediately; other servers are notified by the database. */
export function forgetSessions(context: Context, ended: { _token_hash: Buffer }[]): void {
  forgetKeys(
    context,
    ended.map(({ _token_hash }) => _token_hash.toString('base64')),
  )
}
