import { type CreatedWith, refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { decrypt, encrypt, hashToken } from '../keys/secrets.ts'

/** Proof of the first step of a sign-in. */
export type FirstStep = {
  /** The kind of proof, as `sessions/admit.ts` names it. */
  by: string
  createdWith: CreatedWith
  proof?: { message: string; signature: string } | undefined
  /** The account is to be deleted, and comes back by the second step. */
  restores?: true | undefined
  /** Key of a wallet that returns to the account by the second step. */
  returns?: string | undefined
}

/** Seconds between the first step of a sign-in and the second. */
const ticketLength = 300

type TicketContent = FirstStep & {
  user: string
  /** True if the operator requires a factor and there is none yet. */
  setUp: boolean
}

export type Ticket = TicketContent & { stamp: string; expires: number; binding: string | undefined }

/**
 * Encrypts the proof of the first step for the second. Contains a stamp of the account's sign-in methods: the ticket
 * ends once the password, a wallet or the second factor changes.
 */
export async function writeTicket(context: Context, caller: Caller, content: TicketContent): Promise<string> {
  const { proof, ...rest } = content
  const ticket: Ticket = {
    ...rest,
    // Shown to the owner later; one of a large contract account does not fit.
    ...(proof && proof.message.length + proof.signature.length < 6_000 && { proof }),
    stamp: await findStamp(context, content.user),
    expires: context.clock.ms() + ticketLength * 1000,
    binding: caller.binding && hashToken(caller.binding).toString('base64'),
  }
  return encrypt(context.keys, 'sign-in ticket', JSON.stringify(ticket)).toString('base64url')
}

export async function readTicket(context: Context, caller: Caller, text: string): Promise<Ticket> {
  const json = decrypt(context.keys, 'sign-in ticket', Buffer.from(text, 'base64url'))
  const ticket = json === undefined ? undefined : (JSON.parse(json) as Ticket)
  if (!ticket || ticket.expires <= context.clock.ms()) throw refuse('signInTicketExpired')
  if (ticket.binding && ticket.binding !== (caller.binding && hashToken(caller.binding).toString('base64')))
    throw refuse('challengeOfOtherBrowser')
  if ((await findStamp(context, ticket.user)) !== ticket.stamp) throw refuse('signInTicketExpired')
  return ticket
}

/** User of a ticket, also of one that is no longer valid. `undefined` where it is not ours. */
export function findTicketUser({ keys }: Context, text: string): string | undefined {
  const json = decrypt(keys, 'sign-in ticket', Buffer.from(text, 'base64url'))
  return json === undefined ? undefined : (JSON.parse(json) as Ticket).user
}

/** SQL: a hash over all that opens the account. */
function stampOf(userId: string): Fragment {
  const user = sql.param(userId)
  return sql`
    select encode(sha256(convert_to(concat_ws('|',
      u."objectId", u."_password_hash", u."_email_key", u."emailVerified", encode(u."_anonymous", 'hex'),
      u."_rperm"::text,
      (select string_agg(key, ',' order by key) from countersign.wallets where "user" = ${user}),
      (select string_agg("objectId", ',' order by "objectId") from countersign.passkeys where "user" = ${user}),
      (select string_agg(provider || ' ' || id, ',' order by provider, id)
        from countersign.identities where "user" = ${user}),
      (select concat(confirmed, ' ', by_passkey)
        from countersign.second_factors where "user" = ${user} and (confirmed is not null or by_passkey))
    ), 'UTF8')), 'hex') as stamp
    from "_User" u
    where u."objectId" = ${user}`
}

/** Hash of the account's current sign-in methods. */
export async function findStamp({ db }: Context, userId: string): Promise<string> {
  const [row] = await db.query<{ stamp: string }>(stampOf(userId))
  return row?.stamp ?? ''
}

/** SQL: finds what the ticket was given for, as long as that opens the account. */
export function stillStamped({ user, stamp }: Ticket): Fragment {
  return sql`select from (${stampOf(user)}) now where now.stamp = ${stamp}`
}
