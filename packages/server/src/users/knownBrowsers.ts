import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { hashToken } from '../keys/secrets.ts'
import { nameKey } from './usernames.ts'

const mostKnown = 20

const hashOf = (caller: Caller) =>
  caller.installationId === undefined ? undefined : hashToken(`known browser ${caller.installationId}`)

/** How long (ms) a browser counts as just seen: a return within it writes nothing, and so waits for no disk. */
const justSeen = 3_600_000

/** Remembers that the account was opened from here. The browsers seen last are kept. */
export async function rememberBrowser({ db, clock }: Context, caller: Caller, userId: string): Promise<void> {
  const hash = hashOf(caller)
  if (!hash) return
  const now = clock.now()
  const [user, browser] = [sql.param(userId), sql.param(hash)]
  await db.query(sql.named('remember-browser')`
    with opened as (
      select u."objectId" as "user" from "_User" u
      where u."objectId" = ${user} and not exists (
        select from countersign.known_browsers b
        where b."user" = ${user} and b.hash = ${browser} and b.seen > ${new Date(now.getTime() - justSeen)})
    ), gone as (
      delete from countersign.known_browsers b using opened
      where b."user" = opened."user" and b.hash in (
        select hash from countersign.known_browsers where "user" = ${user} order by seen desc offset ${sql.raw(mostKnown - 1)})
    )
    insert into countersign.known_browsers ("user", hash, seen)
    select "user", ${browser}, ${now} from opened
    on conflict ("user", hash) do update set seen = excluded.seen`)
}

/**
 * Key under which requests about an account are counted separately from strangers': for its own session, and for a
 * browser that opened it before. Strangers who use up the shared limit must not lock out its owner.
 */
export async function findAllowance(
  { db }: Context,
  caller: Caller,
  of: { userId: string } | { name: string },
): Promise<string | undefined> {
  const hash = hashOf(caller)
  const session = caller.session?.userId
  if ('userId' in of) return session === of.userId ? `OWN ${of.userId}` : undefined
  if (!hash && session === undefined) return undefined
  const key = nameKey(of.name)
  const [own] = await db.query<{ user: string }>(sql`
    select u."objectId" as user from "_User" u
    where (u."_email_key" = ${key} or u."_username_key" = ${key})
      and (u."objectId" = ${session ?? null} or exists (
        select from countersign.known_browsers b where b."user" = u."objectId" and b.hash = ${hash ?? null}))
    limit 1`)
  // Capitals are in no key of a name or an address. A browser counts for itself: one that is stolen blocks no other.
  return own && `OWN ${own.user} ${hash?.toString('base64') ?? ''}`
}
