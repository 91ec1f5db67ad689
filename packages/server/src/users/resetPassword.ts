import type { EndpointTypes } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { checkPasswordPolicy } from './checkPasswordPolicy.ts'
import { forgetFailures } from './lockout.ts'
import { consumeMailToken, forgetMailTokens } from './mailTokens.ts'
import { nameKey } from './nameKey.ts'
import { noteActivity } from './noteActivity.ts'
import { notifyOwner } from './notifyOwner.ts'
import { hashPassword } from './passwords.ts'
import { endSessions } from './revokeOtherSessions.ts'
import { expiredLink } from './verifyEmail.ts'

/**
 * Sets a new password by the secret of a mailed link. Who reads the mailbox owns the address, so it is verified too.
 * What survives is in docs/security.md: everything else that opens the account goes where nobody has shown yet that
 * the account and the mailbox have one holder. A stranger may have signed up with the address and waited.
 */
export async function resetPassword(
  context: Context,
  caller: Caller,
  { token, password }: EndpointTypes['resetPassword']['input'],
): Promise<Record<never, never>> {
  const { config, db, clock, sessionCache } = context
  // Checked before the link is used up, so that a refused password can be tried again.
  checkPasswordPolicy(context, password, '')
  const hash = await hashPassword(password)
  return db.transaction(async () => {
    const proof = await consumeMailToken(context, 'reset', token)
    if (!proof) throw expiredLink()
    const userId = proof.user
    const [user] = await db.query<{ username: string; email: string; held: boolean }>({
      text: `select username, email, "emailVerified" is true and "_verified_outside" is not true as held
             from "_User" where "objectId" = $1 and "_email_key" = $2 for update`,
      values: [userId, nameKey(proof.email)],
    })
    if (!user) throw expiredLink()
    // Sessions first: what one of them is adding right now is there, and seen, once it has ended.
    if (config.revokeSessionOnPasswordReset || !user.held) await endSessions(context, userId, null)
    if (!user.held) await removeSignInMethods(context, userId)
    await db.query({ text: 'delete from countersign.recovery_codes where "user" = $1', values: [userId] })
    await forgetMailTokens(context, userId)
    await db.query({
      text: `update "_User" set "_password_hash" = $2, "_anonymous" = null, "emailVerified" = true, "_verified_outside" = null, "updatedAt" = $3
             where "objectId" = $1`,
      values: [userId, hash, clock.now()],
    })
    await noteActivity(context, caller, userId, 'resetPassword', user.held ? {} : { signInMethodsRemoved: true })
    notifyOwner(context, userId, (say) => say(user.held ? 'passwordReset' : 'passwordResetAlone'))
    if (config.accountLockout !== false && config.accountLockout.unlockOnPasswordReset) {
      await forgetFailures(context, [nameKey(user.username), nameKey(user.email)])
    }
    db.afterCommit(() => sessionCache.forgetUser(userId))
    return {}
  })
}

/** Everything but the password. Roles that a wallet opened go with it. */
async function removeSignInMethods({ db, roleCache }: Context, userId: string): Promise<void> {
  for (const table of ['wallets', 'unlinked_wallets', 'passkeys', 'account_settings']) {
    await db.query({ text: `delete from countersign.${table} where "user" = $1`, values: [userId] })
  }
  await db.query({
    text: `update "_User" set "accounts" = null, "ethAddress" = null, "solAccounts" = null, "solAddress" = null where "objectId" = $1`,
    values: [userId],
  })
  db.afterCommit(() => roleCache.forgetAll())
}
