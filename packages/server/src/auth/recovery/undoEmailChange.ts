import { refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { hashToken } from '../../keys/tokens.ts'
import { recordActivity } from '../../users/activity.ts'
import { createMailToken, expiredLink } from '../../users/email/mailTokens.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { changeHolder } from '../../users/holders/changeHolder.ts'
import { freeAddress } from '../../users/holders/freeAddress.ts'
import { removedSince, returnSetAside } from '../../users/holders/setAside.ts'
import { lockUsers } from '../../users/UserRow.ts'
import { nameKey } from '../../users/usernames.ts'
import { followMergeLink, returnToOwner } from '../merge/undoAccountMerge.ts'
import { choosePrimary, refreshAddresses } from '../wallets/wallets.ts'

type EmailChange = {
  user: string
  email: string
  added: Date | null
  verified_outside: boolean
  changed: Date
  expires: Date
  /** Start of the period whose additions to the account end with the undo. */
  reaches: Date
}

/**
 * Restores a verified address to the account that lost it, by the link mailed to it then. The person who changed it had
 * a proof, so every session ends and the password is removed, together with all sign-in methods added since and in the
 * window before: a thief adds first and changes the address last. The response has the secret for a new password.
 */
async function undoEmailChange(context: Context, caller: Caller, token: string): Promise<{ resetToken: string }> {
  const { db, clock, config } = context
  await context.classes.refresh()
  return db.transaction(async () => {
    const present = await findChange(context, token)
    // An account that was merged away comes back first. The page is one for the links of both kinds.
    const takenBack = present ? undefined : await followMergeLink(context, caller, token)
    const change = present ?? (await findChange(context, token))
    if (!change && takenBack) return returnToOwner(context, takenBack)
    const now = clock.now()
    if (!change || change.expires <= now) throw expiredLink()
    const { user: userId, email, changed } = change
    await takeBack(context, caller, userId, email)
    await changeHolder(context, userId, 'email change undone', { since: change.reaches, undone: changed })
    // Sign-in methods that the owner removed earlier may have leaked and are not restored.
    await returnSetAside(context, userId, removedSince(context, changed))
    const key = nameKey(email)
    await db.query(sql`
      update "_User" u set
        username = case when name.returns then ${email} else username end,
        "_username_key" = case when name.returns then ${key} else "_username_key" end,
        email = ${email}, "_email_key" = ${key}, "emailVerified" = true, "_email_added" = ${change.added},
        "_verified_outside" = ${change.verified_outside}, "updatedAt" = ${now}
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
    const { resetTokenValidityDuration } = config.passwordPolicy
    return { resetToken: await createMailToken(context, 'reset', { user: userId, email }, resetTokenValidityDuration) }
  })
}

/** Used up by one statement: of two who send it at once, one succeeds. A refusal that follows takes it back. */
async function findChange({ db }: Context, token: string): Promise<EmailChange | undefined> {
  const [change] = await db.query<EmailChange>(
    sql`delete from countersign.email_changes where hash = ${hashToken(token)} returning *`,
  )
  return change
}

/** Somebody may have taken the address in between to block its return. Only a verified one is kept. */
async function takeBack(context: Context, caller: Caller, userId: string, email: string): Promise<void> {
  const key = nameKey(email)
  const [taker] = await context.db.query<{ objectId: string }>(
    sql`select "objectId" from "_User" where "_email_key" = ${key} and "objectId" <> ${userId}`,
  )
  if ((await lockUsers(context, taker ? [userId, taker.objectId] : [userId])) === 0) throw expiredLink()
  if (taker && !(await freeAddress(context, caller, taker.objectId, key))) throw refuse('emailOfOtherAccount')
}

export const undoEmailChangeEndpoint = defineEndpoint('undoEmailChange', {
  handle: ({ context, caller, input }) => undoEmailChange(context, caller, input.token),
})
