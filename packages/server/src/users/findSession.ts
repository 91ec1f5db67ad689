import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { KnownSession } from '../context/createSessionCache.ts'
import { hashToken } from '../context/newToken.ts'
import { decodeUser, type UserRow, userColumns } from './UserRow.ts'

type Row = UserRow & { s_id: string; s_expires: Date; s_used: Date | null; s_installation: string | null; s_confirmed: Date }

/** How often the time of last use is written, at most. */
const touchInterval = 5 * 60_000

/** The session that a token opens, with its user: one statement, or none from the cache. Throws 209. */
export async function findSession(context: Context, token: string): Promise<NonNullable<Caller['session']>> {
  const hash = hashToken(token)
  const tokenKey = hash.toString('base64')
  const known =
    context.sessionCache.find(tokenKey) ?? (await context.sessionCache.load(tokenKey, () => load(context, hash)))
  if (!known) throw new CountersignError('InvalidSessionToken', 'Invalid session token')
  const now = context.clock.now()
  if (known.expiresAt <= now) throw new CountersignError('InvalidSessionToken', 'Session token is expired.')
  if (!known.lastUsedAt || now.getTime() - known.lastUsedAt.getTime() > touchInterval) touch(context, known, now)
  return { ...known, token, tokenKey }
}

async function load({ db, classes }: Context, hash: Buffer): Promise<KnownSession | undefined> {
  const schema = classes.get('_User')
  const [row] = await db.query<Row>({
    // The columns are part of the statement, so its name changes with them.
    name: `find-session-${schema.version}`,
    text: `select s."objectId" as s_id, s."expiresAt" as s_expires, s."lastUsedAt" as s_used, s."installationId" as s_installation,
                  s."_confirmed" as s_confirmed,
                  ${userColumns(schema, 'u')}
           from "_Session" s join "_User" u on u."objectId" = s."user" where s."_token_hash" = $1`,
    values: [hash],
  })
  if (!row) return undefined
  return {
    objectId: row.s_id,
    userId: row.objectId,
    expiresAt: row.s_expires,
    lastUsedAt: row.s_used,
    installationId: row.s_installation,
    confirmedAt: row.s_confirmed,
    user: decodeUser(schema, row),
  }
}

function touch({ db, background }: Context, known: KnownSession, now: Date): void {
  known.lastUsedAt = now
  background.run('touch session', () =>
    db.query({ text: 'update "_Session" set "lastUsedAt" = $2 where "objectId" = $1', values: [known.objectId, now] }),
  )
}
