import { randomBytes } from 'node:crypto'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { bindingOf, chooseOrigin } from '../createChallenge.ts'

/** In place of a chain family: the older text names no chain, so its nonce serves no other kind of message. */
export const olderText = 'older'

/** Under this name it is kept that an installation fetched a whole message, which the next text is to be alone. */
export const askedName = (binding: Buffer) => `asked-${binding.toString('hex')}`

/**
 * The time that the older clients put into the text they have signed. They take it as it is, so it carries what the
 * text lacks: a nonce for this installation alone, the page, and the account where a wallet is to be linked.
 * `null` makes the client sign its text as it is: right after it fetched that text from `requestMessage`.
 */
export async function issueServerTime(context: Context, caller: Caller): Promise<{ dateTime: string } | null> {
  const { db, clock, config } = context
  const binding = bindingOf(caller)
  const { host, origin } = chooseOrigin(context, caller)
  const issued = clock.now()
  const expires = new Date(issued.getTime() + config.wallet.challengeLength * 1000)
  const nonce = randomBytes(16).toString('hex')
  // The clients end their session before they sign in, and hold one when they link.
  const { session } = caller
  const purpose = session ? 'link' : 'signIn'
  const dateTime = `${issued.toISOString()} ${nonce} at ${host}${session ? `, to link this wallet to ${nameOf(session)}` : ''}`
  const made = await db.query({
    name: 'issue-server-time',
    text: `with asked as (
             delete from countersign.challenges where nonce = $1 returning expires
           )
           insert into countersign.challenges (nonce, purpose, namespace, binding, "user", domain, uri, statement, issued, expires)
           select $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
           where not exists (select from asked where expires > $10)
           returning nonce`,
    values: [
      askedName(binding),
      nonce,
      purpose,
      olderText,
      binding,
      session?.userId ?? null,
      host,
      origin,
      dateTime,
      issued,
      expires,
    ],
  })
  return made.length > 0 ? { dateTime } : null
}

/** One line of ASCII, whatever people call themselves. */
function nameOf({ user, userId }: NonNullable<Caller['session']>): string {
  return `${String(user.username)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 100)} (${userId})`
}
