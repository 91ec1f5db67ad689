import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { hashToken } from '../keys/secrets.ts'
import { nameKey } from './usernames.ts'

const mostKnown = 20

const hashOf = (caller: Caller) =>
  caller.installationId === undefined ? undefined : hashToken(`known browser ${caller.installationId}`)

/** Remembers that the account was opened from here. The browsers seen last are kept. */
export async function rememberBrowser({ db, clock }: Context, caller: Caller, userId: string): Promise<void> {
  const hash = hashOf(caller)
  if (!hash) return
  await db.query(sql`
    with gone as (
      delete from countersign.known_browsers
      where "user" = ${userId} and hash in (
        select hash from countersign.known_browsers where "user" = ${userId} order by seen desc offset ${mostKnown - 1})
    )
    insert into countersign.known_browsers ("user", hash, seen)
    select "objectId", ${hash}, ${clock.now()} from "_User" where "objectId" = ${userId}
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
