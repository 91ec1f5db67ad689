import { longest, refuse } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { columnNames } from '../classes/decodeRow.ts'
import { reviveRow } from '../classes/reviveRow.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { KnownSession } from '../context/createSessionCache.ts'
import { hashToken } from '../context/newToken.ts'
import type { Statement } from '../db/Database.ts'
import { encodeUser, type UserRow } from './UserRow.ts'

/** Times in seconds: numbers are read faster than dates, and this is the statement of every request. */
type Row = UserRow & {
  _session_id: string
  _session_expires: number
  _session_used: number | null
  _session_confirmed: number
  _session_anonymous: boolean
}

/** How often the time of last use is written, at most. */
const touchInterval = 5 * 60_000
const renewalGrace = 10_000

/** The session that a token opens, with its user: one statement, or none from the cache. Throws 209. */
export async function findSession(context: Context, token: string): Promise<NonNullable<Caller['session']>> {
  // Nothing of that length was ever handed out.
  if (token.length > longest.token) throw refuse('invalidSessionToken')
  const hash = hashToken(token)
  const tokenKey = hash.toString('base64')
  const known =
    context.sessionCache.find(tokenKey) ??
    (await context.sessionCache.load(tokenKey, () => load(context, 'current', hash))) ??
    (await findRenewed(context, hash))
  if (!known) throw refuse('invalidSessionToken')
  const now = context.clock.now().getTime()
  if (known.expiresAt <= now) throw refuse('sessionExpired')
  if (now - known.lastUsedAt > touchInterval) touch(context, known, now)
  return { ...known, token, tokenKey }
}

/**
 * The session whose token was renewed a moment ago: what its browser had under way meanwhile is no reason to sign it
 * out. The old token has no part in the proof that the new one came with, and is never kept in the cache.
 */
async function findRenewed(context: Context, hash: Buffer): Promise<KnownSession | undefined> {
  const since = new Date(context.clock.now().getTime() - renewalGrace)
  const known = await load(context, 'renewed', hash, since)
  return known && { ...known, confirmedAt: 0 }
}

const conditions = {
  current: 's."_token_hash" = $1',
  renewed: 's."_previous_hash" = $1 and s."_rotated" > $2',
}

async function load(
  context: Context,
  which: keyof typeof conditions,
  ...values: unknown[]
): Promise<KnownSession | undefined> {
  const { db, classes } = context
  const schema = classes.get('_User')
  const { name, text } = writeStatement(schema, which)
  const [found] = await db.query<{ row: Row }>({ name, text, values } as Statement)
  if (!found) return undefined
  const { row } = found
  return {
    objectId: row._session_id,
    userId: row.objectId,
    expiresAt: row._session_expires * 1000,
    lastUsedAt: (row._session_used ?? 0) * 1000,
    confirmedAt: row._session_confirmed * 1000,
    isAnonymous: row._session_anonymous,
    user: encodeUser(context, reviveRow(schema, row) as UserRow),
  }
}

/** Statements by the schema they were written for: writing one anew for each request would cost more than running it. */
const written = new WeakMap<ClassSchema, { [which in keyof typeof conditions]?: Statement }>()

/**
 * The columns are part of the statement, so its name changes with them. Names of our own begin with an underscore: no
 * field can, so a user who calls one like them does not pass for a session that was confirmed a moment ago.
 */
function writeStatement(schema: ClassSchema, which: keyof typeof conditions): Statement {
  const known = written.get(schema)?.[which]
  if (known) return known
  const seconds = (column: string) => `date_part('epoch', s."${column}")`
  const columns = columnNames(schema).map((name) => `u."${name}"`)
  const statement = {
    name: `find-session-${which}-${schema.version}`,
    text: `select row_to_json(_row) as row from (
             select s."objectId" as _session_id, ${seconds('expiresAt')} as _session_expires, ${seconds('lastUsedAt')} as _session_used, ${seconds('_confirmed')} as _session_confirmed,
                  u."_anonymous" is not null as _session_anonymous,
                  ${columns.join(', ')}
           from "_Session" s join "_User" u on u."objectId" = s."user" where ${conditions[which]}
           ) _row`,
  }
  written.set(schema, { ...written.get(schema), [which]: statement })
  return statement
}

function touch({ db, background }: Context, known: KnownSession, now: number): void {
  known.lastUsedAt = now
  background.run('touch session', () =>
    db.query({
      text: 'update "_Session" set "lastUsedAt" = $2 where "objectId" = $1',
      values: [known.objectId, new Date(now)],
    }),
  )
}
