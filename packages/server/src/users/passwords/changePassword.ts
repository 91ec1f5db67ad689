import { type CountersignError, type EndpointTypes, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { recordActivity } from '../activity.ts'
import { notifyOwner } from '../email/notifyOwner.ts'
import { notifyOfAddition } from '../holders/offerRecovery.ts'
import { findAllowance } from '../knownBrowsers.ts'
import { asksForMore } from '../secondFactor.ts'
import { makeSensitiveChange, requireFreshProof } from '../sensitiveChanges.ts'
import { requireSession } from '../sessions/sessions.ts'
import { requireMethod } from '../signUpRules.ts'
import { findUser, type UserRow } from '../UserRow.ts'
import { replaceSessions } from '../updateUser.ts'
import { checkPassword, hashPassword } from './hashPassword.ts'
import { underLockout } from './lockout.ts'
import { checkPasswordPolicy } from './passwordPolicy.ts'

/**
 * Sets a new password for a caller who knows the current one, and ends every other session. An account that came by
 * wallet or passkey has none: its first password needs a recent proof instead. An account with a second factor needs both.
 */
async function changePassword(
  context: Context,
  caller: Caller,
  { currentPassword, newPassword }: EndpointTypes['changePassword']['input'],
): Promise<{ sessionToken?: string }> {
  const { userId } = requireSession(caller)
  requireMethod(context, 'password')
  const user = await findUser(context, userId)
  if (!user) throw refuse('invalidSessionToken')
  const former = user._password_hash
  const isFirst = former === null
  // The result is a confirmed session. If the account requires more than a password, that is not proof enough.
  const needsProof = isFirst || (await asksForMore(context, userId))
  if (needsProof) await requireFreshProof(context, caller, 'setPassword', userId)
  if (!isFirst && currentPassword === undefined) throw refuse('currentPasswordMissing')
  checkPasswordPolicy(context, newPassword, user.username)
  if (!isFirst) await proveCurrent(context, caller, user, currentPassword ?? '')
  const hash = await hashPassword(newPassword)
  // Its current password is a proof of its own.
  return makeSensitiveChange(context, caller, 'setPassword', userId, change, { isProven: !needsProof })

  async function change(): Promise<{ sessionToken?: string }> {
    // A factor may have been turned on in between. The user is locked now, so none comes after this.
    if (!needsProof && (await asksForMore(context, userId))) throw refuse('reauthenticationRequired')
    // The password that was proven, or its absence, must still be what is replaced.
    const changed = await context.db.query(sql`
      update "_User" set "_password_hash" = ${hash}, "_anonymous" = null, "updatedAt" = ${context.clock.now()}
      where "objectId" = ${userId} and "_password_hash" is not distinct from ${former}
      returning 1`)
    if (changed.length === 0) throw notRight()
    context.db.reportChange('_User')
    context.db.afterCommit(() => context.sessionCache.forgetUser(userId))
    await recordActivity(context, caller, userId, isFirst ? 'addPassword' : 'changePassword')
    if (isFirst) await notifyOfAddition(context, caller, userId, (say) => say('passwordAdded'))
    else notifyOwner(context, userId, (say) => say('passwordChanged'))
    const sessionToken = await replaceSessions(context, caller, userId)
    return sessionToken ? { sessionToken } : {}
  }
}

async function proveCurrent(context: Context, caller: Caller, user: UserRow, password: string): Promise<void> {
  const allowance = await findAllowance(context, caller, { userId: user.objectId })
  const check = async () => ((await checkPassword(user._password_hash, password)) ? true : undefined)
  const proven = await underLockout(context, user.username, check, 'password', allowance)
  if (!proven) throw notRight()
}

function notRight(): CountersignError {
  return refuse('wrongCurrentPassword')
}

export const changePasswordEndpoint = defineEndpoint('changePassword', {
  handle: ({ context, caller, input }) => changePassword(context, caller, input),
})
