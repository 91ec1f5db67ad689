import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { hashToken } from '../../keys/secrets.ts'
import { recordActivity } from '../../users/activity.ts'
import { createMailToken, expiredLink } from '../../users/email/mailTokens.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { changeHolder } from '../../users/holders/changeHolder.ts'
import { type FormerEmail, freeForReturn, writeAddress } from '../../users/holders/returnAddress.ts'
import { removedSince, returnSetAside } from '../../users/holders/setAside.ts'
import { followMergeLink, returnToOwner } from '../merge/undoAccountMerge.ts'
import { choosePrimary, refreshAddresses } from '../wallets/wallets.ts'

type EmailChange = FormerEmail & {
  user: string
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
    await freeForReturn(context, caller, userId, email)
    await changeHolder(context, userId, 'email change undone', { since: change.reaches, undone: changed })
    // Sign-in methods that the owner removed earlier may have leaked and are not restored.
    await returnSetAside(context, userId, removedSince(context, changed))
    await writeAddress(context, userId, change)
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

export const undoEmailChangeEndpoint = defineEndpoint('undoEmailChange', {
  handle: ({ context, caller, input }) => undoEmailChange(context, caller, input.token),
})
