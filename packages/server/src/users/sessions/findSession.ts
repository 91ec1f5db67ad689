import { longest, refuse } from '@countersign/protocol'
import type { HeldSession, KnownSession } from '../../caches/createSessionCache.ts'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import { columnNames, reviveRow } from '../../classes/decodeRow.ts'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { hashToken } from '../../keys/secrets.ts'
import { findToken } from '../tokens/findToken.ts'
import { isTokenText } from '../tokens/newTokenText.ts'
import { encodeUser, type UserRow } from '../UserRow.ts'

/** Times in seconds: numbers are read faster than dates, and this is the statement of every request. */
type Row = UserRow & {
  _session_id: string
  _session_expires: number
  _session_used: number | null
  _session_confirmed: number
  _session_anonymous: boolean
  _session_opened_by: string | null
}

/** How often the time of last use is written, at most. */
const touchInterval = 5 * 60_000
const renewalGrace = 10_000

/**
 * The session that a token opens, with its user: one statement, or none from the cache. Throws 209, also for a token with
 * a scope: code that asks for a session may give it the rights of one.
 */
export async function findSession(context: Context, token: string): Promise<HeldSession> {
  const found = await findCredential(context, token)
  if (found.grant) throw refuse('invalidSessionToken')
  return found
}

/** The session or token with a scope that a text opens. Callers hold it by `holdCredential`. Throws 209. */
export async function findCredential(context: Context, token: string): Promise<HeldSession> {
  const cached = findCachedCredential(context, token)
  if (cached) return cached
  if (isTokenText(token)) {
    const held = await findToken(context, token)
    if (!held) throw refuse('invalidSessionToken')
    return use(context, held, context.clock.ms())
  }
  // No token of that length was ever issued.
  if (token.length > longest.token) throw refuse('invalidSessionToken')
  const hash = hashToken(token)
  const held = { token, tokenKey: hash.toString('base64') }
  const found =
    (await context.sessionCache.load(held, () => load(context, 'current', sql`s."_token_hash" = ${hash}`))) ??
    (await findRenewed(context, hash, held))
  if (!found) throw refuse('invalidSessionToken')
  return use(context, found, context.clock.ms())
}

/** The same where the cache has it: without a promise, for the way of every request. */
export function findCachedCredential(context: Context, token: string): HeldSession | undefined {
  const now = context.clock.ms()
  const session = context.sessionCache.find(token, now)
  return session && use(context, session, now)
}

function use(context: Context, session: HeldSession, now: number): HeldSession {
  if (session.expiresAt <= now) throw refuse('sessionExpired')
  if (session.grant === undefined && now - session.lastUsedAt > touchInterval) touch(context, session, now)
  return session
}

/**
 * Finds a session whose token was just renewed: requests that its browser had under way must not sign it out. The old
 * token gets no rights of the new proof, and is never cached.
 */
async function findRenewed(
  context: Context,
  hash: Buffer,
  held: Pick<HeldSession, 'token' | 'tokenKey'>,
): Promise<HeldSession | undefined> {
  const now = context.clock.ms()
  // A time that lies further ahead was noted before the clock was set back.
  const [since, until] = [new Date(now - renewalGrace), new Date(now + renewalGrace)]
  const isJustRenewed = sql`s."_previous_hash" = ${hash} and s."_rotated" between ${since} and ${until}`
  const known = await load(context, 'renewed', isJustRenewed)
  return known && { ...known, ...held, confirmedAt: 0 }
}

async function load(
  context: Context,
  which: 'current' | 'renewed',
  condition: Fragment,
): Promise<KnownSession | undefined> {
  const { db, classes } = context
  const schema = classes.get('_User')
  const [found] = await db.query<{ row: Row }>(sql.named(`find-session-${which}-${schema.version}`)`
    select row_to_json(_row) as row from (
      select ${selectedColumns(schema)}
      from "_Session" s
      join "_User" u on u."objectId" = s."user"
      where ${condition}
    ) _row`)
  if (!found) return undefined
  const { row } = found
  return {
    objectId: row._session_id,
    userId: row.objectId,
    expiresAt: row._session_expires * 1000,
    lastUsedAt: (row._session_used ?? 0) * 1000,
    confirmedAt: row._session_confirmed * 1000,
    isAnonymous: row._session_anonymous,
    ...(row._session_opened_by !== null && { openedBy: row._session_opened_by }),
    user: encodeUser(context, reviveRow(schema, row) as UserRow),
  }
}

/** A schema is never changed. Writing the columns for each request would cost more than running the statement. */
const columnsBySchema = new WeakMap<ClassSchema, Fragment>()

/**
 * The columns of a user are part of the statement, so its name changes with them. Names of our own begin with an
 * underscore: no field can, so a user who calls one like them does not pass for a session that was confirmed a moment ago.
 */
function selectedColumns(schema: ClassSchema): Fragment {
  const known = columnsBySchema.get(schema)
  if (known) return known
  const columns = columnNames(schema).map((name) => sql.column('u', name))
  const made = sql.flat(
    sql`
      s."objectId" as _session_id,
      date_part('epoch', s."expiresAt") as _session_expires,
      date_part('epoch', s."lastUsedAt") as _session_used,
      date_part('epoch', s."_confirmed") as _session_confirmed,
      u."_anonymous" is not null as _session_anonymous,
      s."_opened_by" as _session_opened_by,
      ${sql.join(columns)}`,
  )
  columnsBySchema.set(schema, made)
  return made
}

function touch({ db, background }: Context, known: KnownSession, now: number): void {
  known.lastUsedAt = now
  background.run('touch session', async () => {
    await db.query(sql`update "_Session" set "lastUsedAt" = ${new Date(now)} where "objectId" = ${known.objectId}`)
    db.reportChange('_Session')
  })
}
