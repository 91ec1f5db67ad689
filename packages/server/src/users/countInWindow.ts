import { domainToASCII } from 'node:url'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'

/**
 * One more in a window of time that began with the first, or none to look. In the database: all servers count together,
 * and a restart forgets nothing.
 */
export async function countInWindow(
  { db, clock }: Context,
  key: string,
  length: number,
): Promise<{ count: number; since: Date }> {
  const now = sql.param(clock.now())
  const began = sql.param(new Date(clock.now().getTime() - length))
  const [row] = await db.query<{ count: number; since: Date }>(sql`
    insert into countersign.email_code_counts as c (key, count, since) values (${key}, 1, ${now})
    on conflict (key) do update set
      count = case when c.since <= ${began} then 0 else c.count end + 1,
      since = case when c.since <= ${began} then ${now} else c.since end
    returning count, since`)
  return row as { count: number; since: Date }
}

/** Mails of one kind that anybody can have sent to an address in a quarter of an hour, for all callers together. */
export const mailLimit = { most: 5, window: 15 * 60_000 }

/** The same for all spellings of a mailbox together, such as those with a tag. */
const mostForMailbox = 15

/** Mailbox of an address: without a tag, with a normalized host. Each spelling is an address of its own. */
function mailboxOf(key: string): string {
  const at = key.lastIndexOf('@')
  const name = key.slice(0, at)
  const host = key.slice(at + 1).replace(/\.+$/, '')
  return `${name.split('+')[0] || name}@${domainToASCII(host) || host}`
}

/** Counts a mail that somebody asks for; `since` is when the window began that has no room for it. */
export async function countMail(
  context: Context,
  kind: 'asked' | 'reset' | 'verify',
  key: string,
  /** Key of a caller known to the account: counted separately. */
  allowance?: string,
): Promise<{ isOneTooMany: boolean; since: Date }> {
  if (allowance !== undefined) {
    const { count, since } = await countInWindow(context, `${kind} ${allowance}`, mailLimit.window)
    return { isOneTooMany: count > mailLimit.most, since }
  }
  const own = await countInWindow(context, `${kind} ${key}`, mailLimit.window)
  if (own.count > mailLimit.most) return { isOneTooMany: true, since: own.since }
  const all = await countInWindow(context, `${kind} mailbox ${mailboxOf(key)}`, mailLimit.window)
  return { isOneTooMany: all.count > mostForMailbox, since: all.since }
}

/**
 * Checks the limit of mails per address. Runs after the response was sent: it is the same for every address, and does
 * not use the database.
 */
export async function isOneTooMany(
  context: Context,
  kind: 'reset' | 'verify',
  key: string,
  allowance?: string,
): Promise<boolean> {
  return (await countMail(context, kind, key, allowance)).isOneTooMany
}
