import { randomUUID } from 'node:crypto'
import { type CreatedWith, refuse } from '@countersign/protocol'
import { newObjectId } from '../../classes/names.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { encrypt, hashToken, newToken } from '../../context/secrets.ts'
import { type Fragment, type Param, sql } from '../../db/sql.ts'
import { alertNewDevice } from '../email/notifyOwner.ts'
import { passSecondFactor } from '../secondFactor.ts'
import { isLockedSql } from '../UserRow.ts'

export type NewSession = { objectId: string; token: string; expiresAt: Date }

/** What was signed to open a session. It stays with the session, encrypted, for its owner to see. */
export type SessionProof = { message: string; signature: string }

/** Columns of a new session but its user, in the order of `SessionInsert.values`. */
export const sessionColumns = sql`"objectId", "createdAt", "updatedAt", "_token_hash", "expiresAt", "createdWith",
  "installationId", "userAgent", "ipAddress", "lastUsedAt", "_confirmed", "_proof"`

/** What a new session is made of: also used by sign-up, which makes it in the statement that makes the user. */
export function draftSession({ config, clock }: Context): NewSession & { hash: Buffer; now: Date } {
  const now = clock.now()
  const token = `r:${newToken()}`
  const expiresAt = new Date(now.getTime() + config.sessionLength * 1000)
  return { objectId: newObjectId(), token, hash: hashToken(token), now, expiresAt }
}

/** The values of a new session, and those of them that a statement names again. */
export type SessionInsert = {
  values: Fragment
  objectId: Param
  now: Param
  createdWith: Param
  installationId: Param
  userAgent: Param
  ipAddress: Param
}

/** Values in a select list have no column to take their type from, so each one says it. */
export function sessionValues(
  { keys }: Context,
  draft: ReturnType<typeof draftSession>,
  createdWith: CreatedWith,
  caller: Caller,
  proof?: SessionProof,
  confirmed = draft.now,
): SessionInsert {
  const encrypted = proof ? encrypt(keys, 'session proof', JSON.stringify(proof)) : null
  const named = {
    objectId: sql.param(draft.objectId),
    now: sql.param(draft.now),
    createdWith: sql.param(createdWith),
    installationId: sql.param(caller.installationId ?? null),
    userAgent: sql.param(caller.userAgent?.slice(0, 512) ?? null),
    ipAddress: sql.param(caller.ipAddress),
  }
  const { objectId, now, installationId, userAgent, ipAddress } = named
  const values = sql`${objectId}::text, ${now}::timestamptz, ${now}::timestamptz, ${draft.hash}::bytea,
    ${draft.expiresAt}::timestamptz, ${named.createdWith}::jsonb, ${installationId}::text, ${userAgent}::text,
    ${ipAddress}::text, ${now}::timestamptz, ${confirmed}::timestamptz, ${encrypted}::bytea`
  return { ...named, values }
}

/** The sign-in as the user's activity has it; `user` is the column or value that names the user. */
export function signInActivity(
  { objectId, now, createdWith, userAgent, ipAddress }: SessionInsert,
  user: unknown,
): Fragment {
  return sql`
    insert into countersign.activity (id, "user", action, details, "ipAddress", "userAgent", at)
    select ${randomUUID()}::text, ${user}, 'signIn',
      ${createdWith}::jsonb || jsonb_build_object('session', ${objectId}::text),
      ${ipAddress}::text, ${userAgent}::text, ${now}::timestamptz`
}

export type SessionOptions = {
  proof?: SessionProof
  /** When the user last showed a proof, where that is not what opens this session. */
  confirmed?: Date
  /** It ends then at the latest. */
  expires?: Date
  /** What must still hold of the user's row `u` when the session opens: what proved the user is there. */
  while?: Fragment
  /** Finds what proved the user, where that is in another table, as long as it opens the account. */
  still?: Fragment
  /** What opens it is as good as two factors, or the operator's own act. */
  isWhole?: boolean
}

/** Opens a session and notes it in the user's activity. One installation has one session of a user: the earlier ones end. */
export async function createSession(
  context: Context,
  caller: Caller,
  userId: string,
  createdWith: CreatedWith,
  { still, isWhole = createdWith.action !== 'login', ...options }: SessionOptions = {},
): Promise<NewSession> {
  const { db } = context
  const passed = isWhole ? {} : await passSecondFactor(context, caller, userId, { createdWith, proof: options.proof })
  // The proof took a while. Whatever takes it away holds the user too: either it was first and is seen here, or it
  // waits, and then ends this session with the others.
  if (!still) return insert(context, caller, userId, createdWith, { ...options, ...passed })
  return db.transaction(async () => {
    const open = await db.query(
      sql`select from "_User" u where "objectId" = ${userId} and not ${isLockedSql} for share`,
    )
    if (open.length === 0 || (await db.query(still)).length === 0) throw refuse('invalidCredentials')
    return insert(context, caller, userId, createdWith, { ...options, ...passed })
  })
}

async function insert(
  context: Context,
  caller: Caller,
  userId: string,
  createdWith: CreatedWith,
  { proof, confirmed, expires, while: condition }: Omit<SessionOptions, 'still' | 'isWhole'>,
): Promise<NewSession> {
  const draft = draftSession(context)
  if (expires && expires < draft.expiresAt) draft.expiresAt = expires
  const session = sessionValues(context, draft, createdWith, caller, proof, confirmed)
  const user = sql.param(userId)
  const held = condition
    ? sql`
      select "objectId" from "_User" u
      where "objectId" = ${user}::text and not ${isLockedSql} and ${condition}
      for share`
    : sql`select ${user}::text as "objectId"`
  const rows = await context.db.query<{ _token_hash: Buffer | null }>(sql.prepared`
    with held as (${held}), replaced as (
      delete from "_Session"
      where "user" = (select "objectId" from held) and "installationId" = ${session.installationId}::text
      returning "_token_hash"
    ), made as (
      insert into "_Session" (${sessionColumns}, "user") select ${session.values}, held."objectId" from held returning 1
    ), noted as (${signInActivity(session, sql`held."objectId"`)} from held)
    select replaced."_token_hash" from made left join replaced on true`)
  if (rows.length === 0) throw refuse('invalidCredentials')
  forgetSessions(
    context,
    rows.flatMap(({ _token_hash }) => (_token_hash ? { _token_hash } : [])),
  )
  if (createdWith.action === 'login') alertNewDevice(context, caller, userId, draft.objectId)
  return draft
}

/** Drops ended sessions from this server's cache at once; the others hear of it from the database. */
export function forgetSessions({ db, sessionCache }: Context, ended: { _token_hash: Buffer }[]): void {
  db.reportChange('_Session')
  db.afterCommit(() => {
    for (const row of ended) sessionCache.forgetSession(row._token_hash.toString('base64'))
  })
}
