import { refuse, type WireValue } from '@countersign/protocol'
import type { Assertion } from '@countersign/protocol/contract'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { recordActivity } from '../../users/activity.ts'
import { isHeld } from '../../users/email/emailChanges.ts'
import { consumeMailToken, expiredLink, findMailToken, type MailToken } from '../../users/email/mailTokens.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { changeHolder } from '../../users/holders/changeHolder.ts'
import { findGuard, type Guard } from '../../users/holders/guards.ts'
import { hasRecoveryMail } from '../../users/holders/offerRecovery.ts'
import { setAsidePassword } from '../../users/holders/setAside.ts'
import { hashPassword } from '../../users/passwords/hashPassword.ts'
import { forgetFailures } from '../../users/passwords/lockout.ts'
import { checkPasswordPolicy } from '../../users/passwords/passwordPolicy.ts'
import { requireMethod } from '../../users/signUpRules.ts'
import { nameKey } from '../../users/usernames.ts'
import { provePasskey } from '../passkeys/signInWithPasskey.ts'
import { readProviders } from '../providers/identities.ts'
import { proveAdditional } from '../providers/signInWithProviders.ts'
import { proveByCode } from '../secondFactor/secondFactor.ts'
import { refreshAddresses } from '../wallets/wallets.ts'
import { createReader } from './createReader.ts'

type Input = {
  token: string
  password: string
  /** Further proofs that the account requires besides the mail. */
  secondFactorCode?: string | undefined
  credential?: Assertion | undefined
  authData?: object | undefined
  /** The address goes to a new account instead. */
  newAccount?: boolean | undefined
}

/**
 * Sets a new password with the secret of a mailed link, and verifies the address. If it was never shown that the account
 * and the mailbox have one holder, all other sign-in methods end: a stranger may have signed up with the address and
 * waited. Mail alone passes no guard: a reader who shows the account's factor gets the whole account, any other reader
 * can have a new account with the address.
 */
export async function resetPassword(context: Context, caller: Caller, input: Input): Promise<Record<never, never>> {
  const { token, password } = input
  requireMethod(context, 'password')
  // Checked before the link is used up, so that a refused password can be tried again.
  checkPasswordPolicy(context, password, '')
  const hash = await hashPassword(password)
  const proof = await findMailToken(context, 'reset', token)
  const user = proof && (await findReset(context, proof))
  if (!user) throw expiredLink()
  const guard = await findGuard(context, user.objectId, user.held)
  if (guard && input.newAccount) return makeAccount(context, caller, token, hash)
  // Outside the transaction: a wrong code stays counted.
  if (guard) await passGuard(context, caller, user, guard, input)
  return setPassword(context, caller, token, hash, guard !== undefined)
}

type Reset = { objectId: string; username: string; email: string; held: boolean }

/** The account that a link resets, as long as it has the address that the link went to. */
async function findReset({ db }: Context, { user, email }: MailToken): Promise<Reset | undefined> {
  const [row] = await db.query<Reset>(sql`
    select "objectId", username, email, ${isHeld} as held
    from "_User" u
    where "objectId" = ${user} and "_email_key" = ${nameKey(email)}
    for update`)
  return row
}

async function passGuard(
  context: Context,
  caller: Caller,
  { objectId, username, held }: Reset,
  guard: Guard,
  { secondFactorCode: code, credential, authData }: Input,
): Promise<void> {
  if (guard.kind !== 'factor') throw refuse('mailNotEnough', { newAccount: !held })
  const { totp, passkey, additional } = guard
  const { given } = readProviders(context, authData as WireValue | undefined)
  if (additional && given.length === 0) throw refuse('mailNotEnough', { newAccount: true })
  if (totp || passkey) {
    if (credential !== undefined) {
      const proven = await provePasskey(context, caller, 'signIn', credential)
      if (proven.userId !== objectId) throw refuse('passkeyOfOtherAccount')
    } else if (code !== undefined) await proveByCode(context, caller, objectId, code)
    else throw refuse('secondFactorRequired', { totp, passkey, newAccount: true })
  }
  if (additional) await proveAdditional(context, caller, { objectId, username }, given)
}

function setPassword(
  context: Context,
  caller: Caller,
  token: string,
  hash: string,
  /** The factor of the account was shown with the link: its holder is here. */
  isShown: boolean,
): Promise<Record<never, never>> {
  const { config, db, clock } = context
  return db.transaction(async () => {
    const proof = await consumeMailToken(context, 'reset', token)
    const user = proof && (await findReset(context, proof))
    if (!user) throw expiredLink()
    const userId = user.objectId
    const isHolder = user.held || isShown
    // A factor that was turned on in between.
    if (!isShown && (await findGuard(context, userId, user.held))) throw refuse('mailNotEnough', { newAccount: false })
    if (isHolder) {
      // An owner who is shut out by somebody else's factor resets the password first, and shows the former one then.
      if (await hasRecoveryMail(context, userId)) await setAsidePassword(context, userId)
      const keepsSessions = !config.revokeSessionOnPasswordReset
      await changeHolder(context, userId, 'reset by mail, address verified', { keepsSessions })
    } else {
      await changeHolder(context, userId, 'reset by mail, address not verified by the holder')
      await refreshAddresses(context, userId)
    }
    await db.query(sql`
      update "_User" set "_password_hash" = ${hash}, "_anonymous" = null, "emailVerified" = true,
        "_verified_outside" = null, "updatedAt" = ${clock.now()}
      where "objectId" = ${userId}`)
    await recordActivity(context, caller, userId, 'resetPassword', isHolder ? {} : { signInMethodsRemoved: true })
    notifyOwner(context, userId, (say) => say(isHolder ? 'passwordReset' : 'passwordResetAlone'))
    if (config.accountLockout !== false && config.accountLockout.unlockOnPasswordReset) {
      await forgetFailures(context, [nameKey(user.username), nameKey(user.email)])
    }
    db.reportChange('_User')
    return {}
  })
}

function makeAccount(context: Context, caller: Caller, token: string, hash: string): Promise<Record<never, never>> {
  return context.db.transaction(async () => {
    const proof = await consumeMailToken(context, 'reset', token)
    const user = proof && (await findReset(context, proof))
    if (!user) throw expiredLink()
    if (user.held) throw refuse('mailNotEnough', { newAccount: false })
    const { email, objectId: from } = user
    await createReader(context, caller, { email, key: nameKey(email), from, passwordHash: hash })
    return {}
  })
}

export const resetPasswordEndpoint = defineEndpoint('resetPassword', {
  handle: ({ context, caller, input }) => resetPassword(context, caller, input),
})
