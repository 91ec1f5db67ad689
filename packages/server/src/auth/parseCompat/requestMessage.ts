import { randomBytes } from 'node:crypto'
import { type CountersignError, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import type { Purpose } from '../Account.ts'
import { bindingOf } from '../challenges.ts'
import { ascii, chooseOrigin, createChallenge } from '../createChallenge.ts'

export type MessageRequest = {
  address: string
  /** Of an EVM chain. */
  chain?: number | string | null
  /** Of Solana. */
  network?: string | null
  networkType?: 'evm' | 'solana'
  purpose?: Purpose | null
}

/** A whole message for an older client to sign as it is: `authenticate({ signingMessage: message })`. */
export async function requestMessage(
  context: Context,
  caller: Caller,
  input: MessageRequest,
): Promise<{ message: string }> {
  const { address, purpose, networkType = 'evm' } = input
  const { message } = await createChallenge(context, caller, {
    ...(networkType === 'solana'
      ? { namespace: 'solana', chainId: input.network ?? null }
      : { namespace: 'eip155', chainId: input.chain ?? null }),
    address,
    purpose: purpose ?? 'signIn',
  })
  if (message === undefined) throw new Error('a challenge for an address has its text')
  await noteAsked(context, caller)
  return { message }
}

/** The client asks for the time next, and would write it under the message. */
async function noteAsked({ db, clock, config }: Context, caller: Caller): Promise<void> {
  const binding = bindingOf(caller)
  const now = clock.now()
  await db.query(sql`
    insert into countersign.challenges (nonce, purpose, namespace, binding, domain, uri, statement, issued, expires)
    values (${askedName(binding)}, 'signIn', ${olderText}, ${binding}, '', '', '', ${now},
      ${new Date(now.getTime() + config.wallet.challengeTtl * 1000)})
    on conflict (nonce) do update set expires = excluded.expires`)
}

/** In place of a chain family: the older text names no chain, so its nonce serves no other kind of message. */
export const olderText = 'older'

/** Under this name it is kept that an installation fetched a whole message, which the next text is to be alone. */
const askedName = (binding: Buffer) => `asked-${binding.toString('hex')}`

/**
 * Time that older clients put into the text to sign. They copy it unchanged, so it carries what the text lacks: the
 * site in words, so that people who sign on a foreign page can see it; the account if a wallet is linked; and a nonce
 * for this installation and page alone. `null` makes the client sign its text as it is: right after it fetched that
 * text from `requestMessage`.
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
  const [found] = await db.query<{ asked: boolean }>(sql.named('issue-server-time')`
    with asked as (
      delete from countersign.challenges where nonce = ${askedName(binding)} returning expires
    ), made as (
      insert into countersign.challenges
        (nonce, purpose, namespace, binding, "user", domain, uri, statement, issued, expires)
      select ${nonce}, ${session ? 'link' : 'signIn'}, ${olderText}, ${binding}, ${session?.userId ?? null}, ${host},
        ${caller.origin === undefined ? '' : origin}, ${dateTime}, ${issued},
        ${new Date(issued.getTime() + config.wallet.challengeTtl * 1000)}
      where ${enabled} and not exists (select from asked where expires > ${issued})
    )
    select exists (select from asked where expires > ${issued}) as asked`)
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
