import { randomUUID } from 'node:crypto'
import { type CreatedWith, refuse } from '@countersign/protocol'
import { newObjectId } from '../classes/newObjectId.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { hashToken, newToken } from '../context/newToken.ts'
import { seal } from '../context/seal.ts'
import type { Statement } from '../db/Database.ts'
import { alertNewDevice } from './alertNewDevice.ts'
import { isLockedSql } from './UserRow.ts'

export type NewSession = { objectId: string; token: string; expiresAt: Date }

/** What was signed to open a session. It stays with the session, sealed, for its owner to see. */
export type SessionProof = { message: string; signature: string }

/** Columns of a new session with their types, in the order of `sessionValues`. */
const columns = [
  ['objectId', 'text'],
  ['createdAt', 'timestamptz'],
  ['updatedAt', 'timestamptz'],
  ['_token_hash', 'bytea'],
  ['expiresAt', 'timestamptz'],
  ['createdWith', 'jsonb'],
  ['installationId', 'text'],
  ['userAgent', 'text'],
  ['ipAddress', 'text'],
  ['lastUsedAt', 'timestamptz'],
  ['_confirmed', 'timestamptz'],
  ['_proof', 'bytea'],
] as const

export const sessionColumns = columns.map(([name]) => `"${name}"`).join(', ')

/** Values in a select list have no column to take their type from, so each one says it. */
export const sessionTypes = columns.map(([, type]) => type)

/** The select list of a session's values as the first parameters of a statement. */
export const sessionParameters = sessionTypes.map((type, index) => `$${index + 1}::${type}`).join(', ')

/** What a new session is made of: also used by sign-up, which makes it in the statement that makes the user. */
export function draftSession({ config, clock }: Context): NewSession & { hash: Buffer; now: Date } {
  const now = clock.now()
  const token = `r:${newToken()}`
  const expiresAt = new Date(now.getTime() + config.sessionLength * 1000)
  return { objectId: newObjectId(), token, hash: hashToken(token), now, expiresAt }
}

export function sessionValues(
  { keys }: Context,
  draft: ReturnType<typeof draftSession>,
  createdWith: CreatedWith,
  caller: Caller,
  proof?: SessionProof,
  confirmed = draft.now,
): unknown[] {
  const { now } = draft
  const { userAgent, ipAddress, installationId } = caller
  const sealed = proof ? seal(keys, 'session proof', JSON.stringify(proof)) : null
  return [
    draft.objectId,
    now,
    now,
    draft.hash,
    draft.expiresAt,
    createdWith,
    installationId ?? null,
    userAgent?.slice(0, 512) ?? null,
    ipAddress,
    now,
    confirmed,
    sealed,
  ]
}

export type SessionOptions = {
  proof?: SessionProof
  /** When the user last showed a proof, where that is not what opens this session. */
  confirmed?: Date
  /** It ends then at the latest. */
  expires?: Date
  /** Finds what proved the user, as long as that opens the account. */
  still?: Statement
}

/** Opens a session and notes it in the user's activity. One installation has one session of a user: the earlier ones end. */
export async function createSession(
  context: Context,
  caller: Caller,
  userId: string,
  createdWith: CreatedWith,
  { still, ...options }: SessionOptions = {},
): Promise<NewSession> {
  const { db } = context
  if (!still) return insert(context, caller, userId, createdWith, options)
  return db.transaction(async () => {
    // The proof took a while. Whatever takes it away holds the user too: either it was first and is seen here, or it
    // waits, and then ends this session with the others.
    const open = await db.query({
      text: `select from "_User" u where "objectId" = $1 and not ${isLockedSql} for share`,
      values: [userId],
    })
    if (open.length === 0 || (await db.query(still)).length === 0) throw refuse('invalidCredentials')
    return insert(context, caller, userId, createdWith, options)
  })
}

async function insert(
  context: Context,
  caller: Caller,
  userId: string,
  createdWith: CreatedWith,
  { proof, confirmed, expires }: Omit<SessionOptions, 'still'>,
): Promise<NewSession> {
  const draft = draftSession(context)
  if (expires && expires < draft.expiresAt) draft.expiresAt = expires
  const replaced = await context.db.query<{ _token_hash: Buffer }>({
    name: 'create-session',
    text: `with replaced as (
             delete from "_Session" where "user" = $13 and "installationId" = $7 returning "_token_hash"
           ), made as (
             insert into "_Session" (${sessionColumns}, "user") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
           ), noted as (
             insert into countersign.activity (id, "user", action, details, "ipAddress", "userAgent", at)
             values ($14, $13, 'signIn', $6::jsonb || jsonb_build_object('session', $1::text), $9, $8, $2)
           )
           select "_token_hash" from replaced`,
    values: [...sessionValues(context, draft, createdWith, caller, proof, confirmed), userId, randomUUID()],
  })
  forgetSessions(context, replaced)
  if (createdWith.action === 'login') alertNewDevice(context, caller, userId, draft.objectId)
  return draft
}

/** Drops ended sessions from this server's cache at once; the others hear of it from the database. */
export function forgetSessions({ db, sessionCache }: Context, ended: { _token_hash: Buffer }[]): void {
  db.afterCommit(() => {
    for (const row of ended) sessionCache.forgetSession(row._token_hash.toString('base64'))
  })
}
