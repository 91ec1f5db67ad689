import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { hashToken } from '../../context/newToken.ts'
import { lockUsers } from '../../users/lockUsers.ts'
import { createMailToken, forgetMailTokens } from '../../users/mailTokens.ts'
import { nameKey } from '../../users/nameKey.ts'
import { newUsername } from '../../users/newUsername.ts'
import { noteActivity } from '../../users/noteActivity.ts'
import { notifyOwner } from '../../users/notifyOwner.ts'
import { endSessions } from '../../users/revokeOtherSessions.ts'
import { expiredLink } from '../../users/verifyEmail.ts'
import { choosePrimary } from '../choosePrimary.ts'
import { refreshAddresses } from '../refreshAddresses.ts'

type EmailChange = {
  user: string
  email: string
  added: Date | null
  verified_outside: boolean
  changed: Date
  expires: Date
}

/**
 * Brings a verified address back into the account that lost it, by the link that was mailed to it then. Whoever changed
 * it had a proof: so every session ends, the password goes, and so does what was added to sign in since. The answer
 * carries the secret for a new password.
 */
export async function undoEmailChange(
  context: Context,
  caller: Caller,
  token: string,
): Promise<{ resetToken: string }> {
  const { db, clock, config, sessionCache, roleCache } = context
  return db.transaction(async () => {
    // Used up by one statement: of two who send it at once, one succeeds. A refusal below takes it back.
    const [change] = await db.query<EmailChange>({
      text: 'delete from countersign.email_changes where hash = $1 returning *',
      values: [hashToken(token)],
    })
    const now = clock.now()
    if (!change || change.expires <= now) throw expiredLink()
    const { user: userId, email, changed } = change
    await freeAddress(context, caller, userId, email)
    // Sessions first: what one of them is adding right now is there, and seen, once it has ended.
    await endSessions(context, userId, null)
    await removeSince(context, userId, changed)
    await forgetMailTokens(context, userId)
    await db.query({
      text: 'delete from countersign.email_changes where "user" = $1 and changed >= $2',
      values: [userId, changed],
    })
    await db.query({
      // A name that is the account's own address goes back with it, where it is still free.
      text: `update "_User" u set
               username = case when name.returns then $2 else username end,
               "_username_key" = case when name.returns then $3 else "_username_key" end,
               email = $2, "_email_key" = $3, "emailVerified" = true, "_email_added" = $4, "_verified_outside" = $5,
               "_password_hash" = null, "_anonymous" = null, "updatedAt" = $6
             from (select "_username_key" = "_email_key" and not exists (
                     select from "_User" where "_username_key" = $3 and "objectId" <> $1
                   ) as returns from "_User" where "objectId" = $1) name
             where u."objectId" = $1`,
      values: [userId, email, nameKey(email), change.added, change.verified_outside, now],
    })
    await choosePrimary(context, userId)
    await refreshAddresses(context, userId)
    await noteActivity(context, caller, userId, 'undoEmailChange')
    notifyOwner(context, userId, (say) => say('emailRestored'))
    db.afterCommit(() => {
      sessionCache.forgetUser(userId)
      roleCache.forgetAll()
    })
    const { resetTokenValidityDuration } = config.passwordPolicy
    return { resetToken: await createMailToken(context, 'reset', { user: userId, email }, resetTokenValidityDuration) }
  })
}

/** Somebody may have taken the address meanwhile, to keep it from coming back. Only one who verified it keeps it. */
async function freeAddress(context: Context, caller: Caller, userId: string, email: string): Promise<void> {
  const { db, sessionCache } = context
  const key = nameKey(email)
  // For an account whose name is the address that it loses.
  const name = newUsername()
  const [taker] = await db.query<{ objectId: string }>({
    text: 'select "objectId" from "_User" where "_email_key" = $1 and "objectId" <> $2',
    values: [key, userId],
  })
  if ((await lockUsers(context, taker ? [userId, taker.objectId] : [userId])) === 0) throw expiredLink()
  if (!taker) return
  const freed = await db.query({
    text: `update "_User" set
             username = case when "_username_key" = $2 then $3 else username end,
             "_username_key" = case when "_username_key" = $2 then $4 else "_username_key" end,
             email = null, "_email_key" = null, "emailVerified" = null, "_email_added" = null, "_verified_outside" = null
           where "objectId" = $1 and "_email_key" = $2 and ("emailVerified" is not true or "_verified_outside") returning 1`,
    values: [taker.objectId, key, name, nameKey(name)],
  })
  if (freed.length === 0) {
    throw new CountersignError('EmailTaken', 'This e-mail address belongs to another account of yours now.', {
      status: 409,
    })
  }
  await forgetMailTokens(context, taker.objectId)
  await noteActivity(context, caller, taker.objectId, 'changeEmail')
  db.afterCommit(() => sessionCache.forgetUser(taker.objectId))
}

/** What was added to sign in since then, whoever added it. */
async function removeSince({ db }: Context, userId: string, since: Date): Promise<void> {
  const values = [userId, since]
  for (const table of ['wallets', 'unlinked_wallets']) {
    await db.query({ text: `delete from countersign.${table} where "user" = $1 and linked >= $2`, values })
  }
  for (const table of ['passkeys', 'recovery_codes']) {
    await db.query({ text: `delete from countersign.${table} where "user" = $1 and created >= $2`, values })
  }
  await db.query({ text: 'delete from countersign.account_settings where "user" = $1', values: [userId] })
}
