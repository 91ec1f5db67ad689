import type { WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { checkPasswordPolicy } from './checkPasswordPolicy.ts'
import { forgetFailures } from './lockout.ts'
import { consumeMailToken } from './mailTokens.ts'
import { nameKey } from './nameKey.ts'
import { noteActivity } from './noteActivity.ts'
import { hashPassword } from './passwords.ts'
import { readPassword } from './readCredentials.ts'
import { endSessions } from './revokeOtherSessions.ts'
import { expiredLink } from './verifyEmail.ts'

/** Sets a new password by the secret of a mailed link. Whoever got the mail owns the address, so it is confirmed too. */
export async function resetPassword(
  context: Context,
  caller: Caller,
  input: { token?: WireValue; password?: WireValue },
): Promise<Record<never, never>> {
  const { config, db, clock, sessionCache } = context
  const password = readPassword(input.password)
  // Checked before the link is used up, so that a refused password can be tried again.
  checkPasswordPolicy(context, password, '')
  if (typeof input.token !== 'string') throw expiredLink()
  const { token } = input
  const hash = await hashPassword(password)
  return db.transaction(async () => {
    const proof = await consumeMailToken(context, 'reset', token)
    if (!proof) throw expiredLink()
    const [user] = await db.query<{ username: string; email: string }>({
      text: `update "_User" set "_password_hash" = $2, "_anonymous" = null, "updatedAt" = $3,
               "emailVerified" = case when "_email_key" = $4 then true else "emailVerified" end
             where "objectId" = $1 returning username, email`,
      values: [proof.user, hash, clock.now(), nameKey(proof.email)],
    })
    if (!user) throw expiredLink()
    await noteActivity(context, caller, proof.user, 'resetPassword')
    if (config.revokeSessionOnPasswordReset) await endSessions(context, proof.user, null)
    if (config.accountLockout !== false && config.accountLockout.unlockOnPasswordReset) {
      await forgetFailures(context, [nameKey(user.username), nameKey(user.email)])
    }
    db.afterCommit(() => sessionCache.forgetUser(proof.user))
    return {}
  })
}
