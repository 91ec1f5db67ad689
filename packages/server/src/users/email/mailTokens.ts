import { type CountersignError, refuse } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { hashToken, newToken } from '../../keys/secrets.ts'

export type MailToken = { user: string; email: string }

/** Creates a secret for a mailed link. Earlier ones stay: a stranger's request must not end the owner's link. */
export async function createMailToken(
  { db, clock }: Context,
  purpose: 'reset' | 'verify',
  { user, email }: MailToken,
  seconds: number,
): Promise<string> {
  const token = newToken()
  const expires = new Date(clock.now().getTime() + seconds * 1000)
  await db.query(sql`
    insert into countersign.tokens (hash, purpose, "user", email, expires)
    values (${hashToken(token)}, ${purpose}, ${user}, ${email}, ${expires})`)
  return token
}

/** Uses a secret up: one statement, so that of two uses at once only one succeeds. */
export async function consumeMailToken(
  { db, clock }: Context,
  purpose: 'reset' | 'verify',
  token: string,
): Promise<MailToken | undefined> {
  const [row] = await db.query<MailToken & { expires: Date }>(sql`
    delete from countersign.tokens
    where hash = ${hashToken(token)} and purpose = ${purpose}
    returning "user", email, expires`)
  return row && row.expires > clock.now() ? row : undefined
}

/** The same without using it up, to find out what else its holder has to show. */
export async function findMailToken(
  { db, clock }: Context,
  purpose: 'reset' | 'verify',
  token: string,
): Promise<MailToken | undefined> {
  const [row] = await db.query<MailToken>(sql`
    select "user", email from countersign.tokens
    where hash = ${hashToken(token)} and purpose = ${purpose} and expires > ${clock.now()}`)
  return row
}

export function expiredLink(): CountersignError {
  return refuse('linkExpired')
}
