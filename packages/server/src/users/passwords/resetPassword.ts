import type { EndpointTypes } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { findHooks, runBefore } from '../../hooks/runHooks.ts'
import { chooseLanguage, greet, own, sayIn } from '../../mail/texts.ts'
import { recordActivity } from '../activity.ts'
import { isOneTooMany } from '../countInWindow.ts'
import { checkPasswordPolicy, hashPassword, nameKey } from '../credentials.ts'
import { isHeld, mailOpens } from '../email/emailChanges.ts'
import { notifyOwner } from '../email/notifyOwner.ts'
import {
  consumeMailToken,
  createMailToken,
  expiredLink,
  forgetEmailCodes,
  forgetMailTokens,
} from '../email/verifyEmail.ts'
import { endSessions } from '../sessions/sessions.ts'
import { requireMethod } from '../signUpRules.ts'
import { languageOfUser } from '../UserRow.ts'
import { forgetFailures } from './lockout.ts'

type Found = { objectId: string; email: string; username: string; language: string | null; held: boolean }

/**
 * Mails a link that sets a new password. Known and unknown addresses get the same answer at the same time: whether the
 * address is known is looked up after the answer has left.
 */
export async function requestPasswordReset(
  context: Context,
  caller: Caller,
  email: string,
): Promise<Record<never, never>> {
  const { config, mail, publicUrl } = context
  requireMethod(context, 'password')
  context.background.runLater('send password reset', async () => {
    const found = await findReader(context, email)
    if (!found || (await isOneTooMany(context, 'reset', nameKey(email)))) return
    const { language, held, ...user } = found
    // What a hook refuses stays between it and the log: the answer must not tell whether the address is known.
    const handlers = findHooks(context, 'beforePasswordReset', '_User')
    if (handlers) await runBefore(handlers, caller, { hook: 'beforePasswordReset', className: '_User', object: user })
    const token = await createMailToken(
      context,
      'reset',
      { user: user.objectId, email: user.email },
      config.passwordPolicy.resetTokenValidityDuration,
    )
    const link = `${publicUrl}/reset?token=${token}`
    const say = await sayIn(chooseLanguage(language, caller.acceptLanguage))
    await mail.send({
      kind: 'passwordReset',
      to: user.email,
      subject: say('resetSubject', { app: own(config.appName) }),
      text: say(held ? 'resetText' : 'resetTextAlone', { name: greet(say, user), link: own(link) }),
      link,
    })
  })
  return {}
}

/** The account that a mail to this address may open. */
async function findReader({ config, db }: Context, address: string): Promise<Found | undefined> {
  const [found] = await db.query<Found>(sql`
    select "objectId", email, username, ${languageOfUser} as language, ${isHeld} as held
    from "_User" u
    where "_email_key" = ${nameKey(address)} and ${mailOpens(config)}`)
  return found
}

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
  requireMethod(context, 'password')
  // Checked before the link is used up, so that a refused password can be tried again.
  checkPasswordPolicy(context, password, '')
  const hash = await hashPassword(password)
  return db.transaction(async () => {
    const proof = await consumeMailToken(context, 'reset', token)
    if (!proof) throw expiredLink()
    const userId = proof.user
    const [user] = await db.query<{
      username: string
      email: string
      held: boolean
    }>(sql`
      select username, email, ${isHeld} as held
      from "_User" u
      where "objectId" = ${userId} and "_email_key" = ${nameKey(proof.email)}
      for update`)
    if (!user) throw expiredLink()
    // Sessions first: what one of them is adding right now is there, and seen, once it has ended.
    if (config.revokeSessionOnPasswordReset || !user.held) await endSessions(context, userId, null)
    if (!user.held) await removeSignInMethods(context, userId)
    await db.query(sql`delete from countersign.recovery_codes where "user" = ${userId}`)
    await forgetMailTokens(context, userId)
    await forgetEmailCodes(context, userId)
    await db.query(sql`
      update "_User" set "_password_hash" = ${hash}, "_anonymous" = null, "emailVerified" = true,
        "_verified_outside" = null, "updatedAt" = ${clock.now()}
      where "objectId" = ${userId}`)
    await recordActivity(context, caller, userId, 'resetPassword', user.held ? {} : { signInMethodsRemoved: true })
    notifyOwner(context, userId, (say) => say(user.held ? 'passwordReset' : 'passwordResetAlone'))
    if (config.accountLockout !== false && config.accountLockout.unlockOnPasswordReset) {
      await forgetFailures(context, [nameKey(user.username), nameKey(user.email)])
    }
    db.reportChange('_User')
    db.afterCommit(() => sessionCache.forgetUser(userId))
    return {}
  })
}

/** Everything but the password. Roles that a wallet opened go with it. */
export async function removeSignInMethods({ db, roleCache }: Context, userId: string): Promise<void> {
  for (const table of [
    'wallets',
    'unlinked_wallets',
    'passkeys',
    'removed_passkeys',
    'identities',
    'unlinked_identities',
    'account_settings',
    'second_factors',
    'remembered_devices',
  ]) {
    await db.query(sql`delete from countersign.${sql.id(table)} where "user" = ${userId}`)
  }
  await db.query(sql`
    update "_User" set "accounts" = null, "ethAddress" = null, "solAccounts" = null, "solAddress" = null
    where "objectId" = ${userId}`)
  db.afterCommit(() => roleCache.forgetAll())
}

export const requestPasswordResetEndpoint = defineEndpoint('requestPasswordReset', {
  handle: ({ context, caller, input }) => requestPasswordReset(context, caller, input.email),
})

export const resetPasswordEndpoint = defineEndpoint('resetPassword', {
  handle: ({ context, caller, input }) => resetPassword(context, caller, input),
})
