import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { removeUser, scheduleDeletion } from './accountDeletion.ts'
import { recordActivity } from './activity.ts'
import { makeSensitiveChange } from './sensitiveChanges.ts'

/** Deletes a user with all sessions. By the user itself it can be undone for a while; the master key deletes at once. */
export async function deleteUser(context: Context, caller: Caller, objectId: string): Promise<Record<never, never>> {
  if (!caller.isMaster && caller.session?.userId !== objectId) {
    throw new CountersignError('SessionMissing', 'Insufficient auth to delete user')
  }
  await makeSensitiveChange(context, caller, 'deleteAccount', objectId, async () => {
    if (!caller.isMaster && context.config.accountDeletionGrace > 0) return scheduleDeletion(context, caller, objectId)
    await removeUser(context, caller, objectId)
    // Kept for the operator, and sent to webhooks: the account itself has no activity to show any more.
    await recordActivity(context, caller, objectId, 'deleteAccount', { masterKey: caller.isMaster })
  })
  return {}
}
