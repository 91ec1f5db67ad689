import { timingSafeEqual } from 'node:crypto'
import { CountersignError, refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { hashToken } from '../keys/secrets.ts'

/** Single-use challenge of a sign-in method, bound to the browser that requested it. */
export type KeptChallenge = {
  nonce: string
  purpose: string
  /** Sign-in method, or the family of chains for wallets. */
  namespace: string
  binding: Buffer
  /** User that has to respond; `null` for a sign-in. */
  user: string | null
  domain: string
  uri: string
  statement: string
  address: string | null
  chain_id: string | null
  issued: Date
  expires: Date
}

type NewChallenge = Omit<KeptChallenge, 'binding' | 'address' | 'chain_id'> &
  Partial<Pick<KeptChallenge, 'address' | 'chain_id'>>

/** Hash of the secret that binds a challenge to its browser. */
export function bindingOf(caller: Caller): Buffer {
  if (caller.binding) return hashToken(caller.binding)
  throw new CountersignError(
    'MissingRequiredField',
    'An installation ID is required. Send X-Parse-Installation-Id with this request and the next.',
  )
}

/** Stores a challenge for the caller's browser. */
export async function keepChallenge({ db }: Context, caller: Caller, made: NewChallenge): Promise<void> {
  const { nonce, purpose, namespace, user, domain, uri, statement, address = null, chain_id = null } = made
  await db.query(sql.named('keep-challenge', { quick: true })`
    insert into countersign.challenges
      (nonce, purpose, namespace, binding, "user", domain, uri, statement, address, chain_id, issued, expires)
    values (${nonce}, ${purpose}, ${namespace}, ${bindingOf(caller)}, ${user}, ${domain}, ${uri}, ${statement},
      ${address}, ${chain_id}, ${made.issued}, ${made.expires})`)
}

/**
 * Consumes a challenge, before anything is verified: a failed try cannot be repeated, nor run twice at once. Refuses
 * one of another browser (a page that relays a response, or a response planted in a victim's browser), for another
 * purpose or account, and an expired one.
 */
export async function takeChallenge(
  context: Context,
  caller: Caller,
  { nonce, purpose, namespaces }: { nonce: string; purpose: string; namespaces: readonly string[] },
): Promise<KeptChallenge> {
  const challenge = await consume(context, nonce, namespaces)
  if (!challenge) throw refuse('challengeUsed')
  const isAsker = caller.binding !== undefined && timingSafeEqual(challenge.binding, bindingOf(caller))
  if (!isAsker || (caller.origin !== undefined && caller.origin !== challenge.uri)) {
    const details = 'Send the same X-Parse-Installation-Id, or the cookie of the first response, with both requests.'
    throw refuse('challengeOfOtherBrowser', undefined, { details })
  }
  if (challenge.purpose !== purpose) throw refuse('challengeOfOtherPurpose')
  if (challenge.user !== null && challenge.user !== caller.session?.userId) throw refuse('challengeOfOtherAccount')
  if (challenge.expires <= context.clock.now()) throw refuse('challengeExpired')
  return challenge
}

async function consume(
  { db }: Context,
  nonce: string,
  namespaces: readonly string[],
): Promise<KeptChallenge | undefined> {
  const [found] = await db.query<{ row: { [Name in keyof KeptChallenge]: string } }>(sql.named('consume-challenge', {
    quick: true,
  })`
    with gone as (
      delete from countersign.challenges where nonce = ${nonce} and namespace = any(${namespaces}) returning *
    )
    select row_to_json(gone) as row from gone`)
  if (!found) return undefined
  const { binding, issued, expires, ...rest } = found.row
  return {
    ...rest,
    binding: Buffer.from(binding.slice(2), 'hex'),
    issued: new Date(issued),
    expires: new Date(expires),
  }
}
