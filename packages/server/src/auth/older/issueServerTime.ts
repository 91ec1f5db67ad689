import { randomBytes } from 'node:crypto'
import { type CountersignError, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { ascii, bindingOf, chooseOrigin } from '../createChallenge.ts'

/** In place of a chain family: the older text names no chain, so its nonce serves no other kind of message. */
export const olderText = 'older'

/** Under this name it is kept that an installation fetched a whole message, which the next text is to be alone. */
export const askedName = (binding: Buffer) => `asked-${binding.toString('hex')}`

/**
 * The time that the older clients put into the text they have signed. They take it as it is, so it carries what the
 * text lacks: the site in words, so that people who sign on a foreign page read whose sign-in it is; the account where
 * a wallet is to be linked; and a nonce for this installation and page alone.
 * `null` makes the client sign its text as it is: right after it fetched that text from `requestMessage`.
 */
export async function issueServerTime(context: Context, caller: Caller): Promise<{ dateTime: string } | null> {
  const { db, clock, config } = context
  const binding = bindingOf(caller)
  const { host, origin } = chooseOrigin(context, caller)
  const issued = clock.now()
  const nonce = randomBytes(16).toString('hex')
  // The clients end their session before they sign in, and hold one when they link.
  const { session } = caller
  const site = `${ascii(config.appName)} at ${host} (do not sign this on another site)`
  const act = session ? `link a wallet in ${site} to the account ${accountOf(session)}` : `sign in to ${site}`
  const dateTime = `${issued.toISOString()} to ${act}. Nonce: ${nonce}`
  const { enabled } = config.olderSignIn
  const [found] = await db.query<{ asked: boolean }>({
    name: 'issue-server-time',
    text: `with asked as (
             delete from countersign.challenges where nonce = $1 returning expires
           ), made as (
             insert into countersign.challenges (nonce, purpose, namespace, binding, "user", domain, uri, statement, issued, expires)
             select $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
             where $12 and not exists (select from asked where expires > $10)
           )
           select exists (select from asked where expires > $10) as asked`,
    values: [
      askedName(binding),
      nonce,
      session ? 'link' : 'signIn',
      olderText,
      binding,
      session?.userId ?? null,
      host,
      // The page that asked, or none: a program that is no browser brings the signature itself.
      caller.origin === undefined ? '' : origin,
      dateTime,
      issued,
      new Date(issued.getTime() + config.wallet.challengeLength * 1000),
      enabled,
    ],
  })
  if (found?.asked) return null
  if (!enabled) throw olderSignInIsOff()
  return { dateTime }
}

export function olderSignInIsOff(): CountersignError {
  return refuse('olderSignInDisabled', undefined, {
    details: 'olderSignIn.enabled is false. Sign a whole message from requestMessage, or use the challenge endpoints.',
  })
}

const accountOf = ({ user, userId }: NonNullable<Caller['session']>) => `${ascii(String(user.username))} (${userId})`
