import { refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { hashToken } from '../../context/secrets.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { recordActivity } from '../../users/activity.ts'
import { nameKey, newUsername } from '../../users/credentials.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { createMailToken, expiredLink, forgetMailTokens } from '../../users/email/verifyEmail.ts'
import { endSessions } from '../../users/sessions/sessions.ts'
import { lockUsers } from '../../users/UserRow.ts'
import { choosePrimary, refreshAddresses } from '../wallets/wallets.ts'

type EmailChange = {
  user: string
  email: string
  added: Date | null
  verified_outside: boolean
  changed: Date
  expires: Date
}

/**
 * Brings a verified address back into the account that lost it, by the link that was mailed to it then. The person who changed
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
    const [change] = await db.query<EmailChange>(
      sql`delete from countersign.email_changes where hash = ${hashToken(token)} returning *`,
    )
    const now = clock.now()
    if (!change || change.expires <= now) throw expiredLink()
    const { user: userId, email, changed } = change
    await freeAddress(context, caller, userId, email)
    // Sessions first: what one of them is adding right now is there, and seen, once it has ended.
    await endSessions(context, userId, null)
    await removeSince(context, userId, changed)
    await forgetMailTokens(context, userId)
    await db.query(sql`delete from countersign.email_changes where "user" = ${userId} and changed >= ${changed}`)
    const key = nameKey(email)
    await db.query(sql`
      update "_User" u set
        username = case when name.returns then ${email} else username end,
        "_username_key" = case when name.returns then ${key} else "_username_key" end,
        email = ${email}, "_email_key" = ${key}, "emailVerified" = true, "_email_added" = ${change.added},
        "_verified_outside" = ${change.verified_outside}, "_password_hash" = null, "_anonymous" = null,
        "updatedAt" = ${now}
      from (
        select "_username_key" = "_email_key" and not exists (
          select from "_User" where "_username_key" = ${key} and "objectId" <> ${userId}) as returns
        from "_User"
        where "objectId" = ${userId}
      ) name
      where u."objectId" = ${userId}`)
    db.reportChange('_User')
    await choosePrimary(context, userId)
    await refreshAddresses(context, userId)
    await recordActivity(context, caller, userId, 'undoEmailChange')
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
  const [taker] = await db.query<{ objectId: string }>(
    sql`select "objectId" from "_User" where "_email_key" = ${key} and "objectId" <> ${userId}`,
  )
  if ((await lockUsers(context, taker ? [userId, taker.objectId] : [userId])) === 0) throw expiredLink()
  if (!taker) return
  const freed = await db.query(sql`
    update "_User" set
      username = case when "_username_key" = ${key} then ${name} else username end,
      "_username_key" = case when "_username_key" = ${key} then ${nameKey(name)} else "_username_key" end,
      email = null, "_email_key" = null, "emailVerified" = null, "_email_added" = null, "_verified_outside" = null
    where "objectId" = ${taker.objectId} and "_email_key" = ${key}
      and ("emailVerified" is not true or "_verified_outside")
    returning 1`)
  if (freed.length === 0) {
    throw refuse('emailOfOtherAccount')
  }
  await forgetMailTokens(context, taker.objectId)
  await recordActivity(context, caller, taker.objectId, 'changeEmail')
  db.afterCommit(() => sessionCache.forgetUser(taker.objectId))
}

/** Every sign-in method that was added since then. */
async function removeSince({ db }: Context, userId: string, since: Date): Promise<void> {
  for (const table of ['wallets', 'unlinked_wallets', 'identities', 'unlinked_identities']) {
    await db.query(sql`delete from countersign.${sql.id(table)} where "user" = ${userId} and linked >= ${since}`)
  }
  for (const table of ['passkeys', 'removed_passkeys', 'recovery_codes', 'second_factors', 'remembered_devices']) {
    await db.query(sql`delete from countersign.${sql.id(table)} where "user" = ${userId} and created >= ${since}`)
  }
  await db.query(sql`delete from countersign.account_settings where "user" = ${userId}`)
}

export const undoEmailChangeEndpoint = defineEndpoint('undoEmailChange', {
  handle: ({ context, caller, input }) => undoEmailChange(context, caller, input.token),
})
