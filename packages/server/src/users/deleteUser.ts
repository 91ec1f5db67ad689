import { CountersignError, refuse, type WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { deleteWithHooks, hasDeleteHooks } from '../hooks/deleteWithHooks.ts'
import { findUser } from './findUser.ts'
import { lockUsers } from './lockUsers.ts'
import { makeSensitiveChange } from './sensitiveChanges.ts'
import { decodeUser } from './UserRow.ts'

/** Deletes a user with all sessions: the user itself, or the master key. */
export async function deleteUser(context: Context, caller: Caller, objectId: string): Promise<Record<never, never>> {
  if (!caller.isMaster && caller.session?.userId !== objectId) {
    throw new CountersignError('SessionMissing', 'Insufficient auth to delete user')
  }
  const remove = () =>
    context.db.query({ text: 'delete from "_User" where "objectId" = $1 returning 1', values: [objectId] })
  const gone = await makeSensitiveChange(context, caller, 'deleteAccount', objectId, () =>
    hasDeleteHooks(context, '_User')
      ? deleteWithHooks(context, caller, '_User', { getObject: () => getUser(context, objectId), remove })
      : remove(),
  )
  if (gone.length === 0) throw refuse('objectNotFound')
  context.db.afterCommit(() => context.sessionCache.forgetUser(objectId))
  return {}
}

async function getUser(context: Context, objectId: string): Promise<WireFields> {
  await lockUsers(context, [objectId])
  const row = await findUser(context, objectId)
  if (!row) throw refuse('objectNotFound')
  return decodeUser(context.classes.get('_User'), row)
}
