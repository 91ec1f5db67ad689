import { type PasskeyRecord, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { recordActivity } from '../../users/activity.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { restorableFrom, setAsideTimes } from '../../users/holders/setAside.ts'
import { findSecondFactor, requireDemandedFactor } from '../../users/secondFactor.ts'
import { makeSensitiveChange } from '../../users/sensitiveChanges.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { requireRemainingMethod } from '../signInMethods.ts'
import { encodePasskey, type PasskeyRow } from './passkeys.ts'

const columns = sql`
  "objectId", "user", credential, user_handle, public_key, counter, transports, backed_up, name, created, last_used`

/** Takes a passkey from the caller's account: after a recent proof, and never the last sign-in method. It can be restored for a while. */
async function removePasskey(context: Context, caller: Caller, objectId: string): Promise<{ undoUntil: string }> {
  const { userId } = requireSession(caller)
  const { undoUntil, keptUntil } = setAsideTimes(context)
  await requireRemainingMethod(context, caller, 'removePasskey', userId, async () => {
    const factor = await findSecondFactor(context, userId)
    const [gone] = await context.db.query<{ name: string }>(sql`
      with gone as (
        delete from countersign.passkeys where "objectId" = ${objectId} and "user" = ${userId} returning *
      )
      insert into countersign.removed_passkeys (${columns}, expires)
      select ${columns}, ${keptUntil} from gone
      returning name`)
    if (!gone) throw refuse('objectNotFound')
    // It may have been all that was asked for after the first proof.
    if (factor.passkey) await requireDemandedFactor(context, caller, userId)
    await recordActivity(context, caller, userId, 'removePasskey', { objectId, name: gone.name })
    notifyOwner(context, userId, (say) => say('passkeyRemoved'))
  })
  return { undoUntil: undoUntil.toISOString() }
}

/**
 * Gives a passkey back that the caller removed a moment ago. Only after a recent proof: an owner may have removed it
 * because somebody else has the device, and a session left open elsewhere must not bring it back.
 */
async function restorePasskey(context: Context, caller: Caller, objectId: string): Promise<PasskeyRecord> {
  const { userId } = requireSession(caller)
  const { db } = context
  return makeSensitiveChange(context, caller, 'restorePasskey', userId, async () => {
    const kept = sql`
      delete from countersign.removed_passkeys
      where "objectId" = ${objectId} and "user" = ${userId} and expires > ${restorableFrom(context)}
      returning *`
    const [removed] = await db.query<PasskeyRow>(kept)
    if (!removed) throw refuse('passkeyRestoreExpired')
    const { credential, user_handle, public_key, counter, transports, backed_up, name, created, last_used } = removed
    const [restored] = await db.query<PasskeyRow>(sql`
      insert into countersign.passkeys (${columns})
      values (${objectId}, ${userId}, ${credential}, ${user_handle}, ${public_key}, ${counter}, ${transports},
        ${backed_up}, ${name}, ${created}, ${last_used})
      on conflict (credential) do nothing
      returning *`)
    if (restored) {
      await recordActivity(context, caller, userId, 'restorePasskey', { objectId, name })
      notifyOwner(context, userId, (say) => say('passkeyRestored'))
      return encodePasskey(restored)
    }
    // Registered again in between: by the caller, then it exists; by somebody else, then it is theirs.
    const [present] = await db.query<PasskeyRow>(
      sql`select * from countersign.passkeys where credential = ${credential} and "user" = ${userId}`,
    )
    if (!present) throw refuse('passkeyTaken')
    return encodePasskey(present)
  })
}

export const removePasskeyEndpoint = defineEndpoint('removePasskey', {
  handle: ({ context, caller, params }) => removePasskey(context, caller, params.objectId),
})

export const restorePasskeyEndpoint = defineEndpoint('restorePasskey', {
  handle: ({ context, caller, params }) => restorePasskey(context, caller, params.objectId),
})
