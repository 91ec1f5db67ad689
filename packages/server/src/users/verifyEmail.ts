import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { consumeMailToken } from './mailTokens.ts'
import { nameKey } from './nameKey.ts'

/** Confirms the e-mail address that a mailed link was sent to, if it still is the user's. */
export async function verifyEmail(context: Context, token: WireValue | undefined): Promise<Record<never, never>> {
  const proof = typeof token === 'string' ? await consumeMailToken(context, 'verify', token) : undefined
  if (!proof) throw expiredLink()
  await context.db.query({
    text: 'update "_User" set "emailVerified" = true, "updatedAt" = $3 where "objectId" = $1 and "_email_key" = $2',
    values: [proof.user, nameKey(proof.email), context.clock.now()],
  })
  context.sessionCache.forgetUser(proof.user)
  return {}
}

export function expiredLink(): CountersignError {
  return new CountersignError('OtherCause', 'This link has expired or was used already. Ask for a new one.')
}
