import { type CountersignError, refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { consumeMailToken } from './mailTokens.ts'
import { nameKey } from './nameKey.ts'

/**
 * Verifies the e-mail address that a mailed link was sent to, if it still is the user's. Outside a session of that
 * account it shows who reads the mailbox, not that the same person made the account: this is remembered, and a reset
 * by mail then removes everything that the account's maker left there.
 */
export async function verifyEmail(context: Context, caller: Caller, token: string): Promise<Record<never, never>> {
  const proof = await consumeMailToken(context, 'verify', token)
  if (!proof) throw expiredLink()
  await context.db.query({
    text: `update "_User" set "emailVerified" = true, "_verified_outside" = $4, "updatedAt" = $3
           where "objectId" = $1 and "_email_key" = $2 and ("emailVerified" is not true or not $4)`,
    values: [proof.user, nameKey(proof.email), context.clock.now(), caller.session?.userId !== proof.user],
  })
  context.sessionCache.forgetUser(proof.user)
  return {}
}

export function expiredLink(): CountersignError {
  return refuse('linkExpired')
}
