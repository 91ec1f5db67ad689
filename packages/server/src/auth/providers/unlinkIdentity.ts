import { type IdentityRecord, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { recordActivity } from '../../users/activity.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { notifyOfAddition } from '../../users/holders/offerRecovery.ts'
import { restorableFrom, setAsideTimes } from '../../users/holders/setAside.ts'
import { makeSensitiveChange, requireFreshProof } from '../../users/sensitiveChanges.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { requireRemainingMethod } from '../signInMethods.ts'
import { encodeIdentity, findIdentities, type IdentityRow } from './identities.ts'

/** Takes a provider from the caller's account: after a recent proof, and never the last sign-in method. It can be restored for a while. */
async function unlinkIdentity(context: Context, caller: Caller, provider: string): Promise<{ undoUntil: string }> {
  const { db } = context
  const { userId } = requireSession(caller)
  await requireFreshProof(context, caller, 'unlinkIdentity', userId)
  const { undoUntil, keptUntil } = setAsideTimes(context)
  await requireRemainingMethod(context, caller, 'unlinkIdentity', userId, async () => {
    const gone = await db.query(sql`
      with gone as (delete from countersign.identities where provider = ${provider} and "user" = ${userId} returning *)
      insert into countersign.unlinked_identities (provider, id, "user", data, linked, last_used, expires)
      select provider, id, "user", data, linked, last_used, ${keptUntil} from gone
      on conflict (provider, id, "user") do update set data = excluded.data, linked = excluded.linked,
        last_used = excluded.last_used, expires = excluded.expires
      returning 1`)
    if (gone.length === 0) throw refuse('identityNotFound')
    await recordActivity(context, caller, userId, 'unlinkIdentity', { provider })
    notifyOwner(context, userId, (say) => say('identityRemoved', { provider }))
    db.afterCommit(() => context.sessionCache.forgetUser(userId))
  })
  return { undoUntil: undoUntil.toISOString() }
}

/**
 * Gives a provider back that the caller unlinked a moment ago. Only after a recent proof: an owner may have
 * unlinked it because somebody else has it, and a session left open elsewhere must not bring it back.
 */
async function restoreIdentity(context: Context, caller: Caller, provider: string): Promise<IdentityRecord> {
  const { db } = context
  const { userId } = requireSession(caller)
  return makeSensitiveChange(context, caller, 'linkIdentity', userId, async () => {
    const kept = await db.query<IdentityRow>(sql`
      delete from countersign.unlinked_identities
      where provider = ${provider} and "user" = ${userId} and expires > ${restorableFrom(context)}
      returning *`)
    if (kept.length === 0) throw refuse('identityRestoreExpired')
    // An identity linked since then stays: an account has one identity per provider.
    const present = (await findIdentities(context, userId)).find((row) => row.provider === provider)
    if (present) return encodeIdentity(context, present)
    for (const { id, data, linked, last_used } of kept) {
      await db.query(sql`
        insert into countersign.identities (provider, id, "user", data, linked, last_used)
        values (${provider}, ${id}, ${userId}, ${data}, ${linked}, ${last_used})
        on conflict do nothing`)
    }
    const row = (await findIdentities(context, userId)).find((each) => each.provider === provider)
    if (!row) throw refuse('accountAlreadyLinked')
    await recordActivity(context, caller, userId, 'linkIdentity', { provider, restored: true })
    await notifyOfAddition(context, caller, userId, (say) => say('identityAdded', { provider }))
    db.afterCommit(() => context.sessionCache.forgetUser(userId))
    return encodeIdentity(context, row)
  })
}

export const unlinkIdentityEndpoint = defineEndpoint('unlinkIdentity', {
  handle: ({ context, caller, params }) => unlinkIdentity(context, caller, params.provider),
})

export const restoreIdentityEndpoint = defineEndpoint('restoreIdentity', {
  handle: ({ context, caller, params }) => restoreIdentity(context, caller, params.provider),
})
