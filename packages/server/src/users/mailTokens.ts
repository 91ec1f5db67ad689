import type { Context } from '../context/Context.ts'
import { hashToken, newToken } from '../context/newToken.ts'

export type MailToken = { user: string; email: string }

/** A secret for a link in a mail. A newer one of the same purpose ends the older. */
export async function createMailToken(
  { db, clock }: Context,
  purpose: 'reset' | 'verify',
  { user, email }: MailToken,
  seconds: number,
): Promise<string> {
  const token = newToken()
  await db.query({
    text: `with older as (delete from countersign.tokens where "user" = $3 and purpose = $2)
           insert into countersign.tokens (hash, purpose, "user", email, expires) values ($1, $2, $3, $4, $5)`,
    values: [hashToken(token), purpose, user, email, new Date(clock.now().getTime() + seconds * 1000)],
  })
  return token
}

/** Uses a secret up: one statement, so that of two uses at once only one succeeds. */
export async function consumeMailToken(
  { db, clock }: Context,
  purpose: 'reset' | 'verify',
  token: string,
): Promise<MailToken | undefined> {
  const [row] = await db.query<MailToken & { expires: Date }>({
    text: 'delete from countersign.tokens where hash = $1 and purpose = $2 returning "user", email, expires',
    values: [hashToken(token), purpose],
  })
  return row && row.expires > clock.now() ? row : undefined
}

/** Ends the links that were mailed and not followed yet. */
export async function forgetMailTokens({ db }: Context, userId: string): Promise<void> {
  await db.query({ text: 'delete from countersign.tokens where "user" = $1', values: [userId] })
}
