import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'

/** Deletes a user with all sessions: the user itself, or the master key. */
export async function deleteUser(context: Context, caller: Caller, objectId: string): Promise<Record<never, never>> {
  if (!caller.isMaster && caller.session?.userId !== objectId) {
    throw new CountersignError('SessionMissing', 'Insufficient auth to delete user')
  }
  const gone = await context.db.query({
    text: 'delete from "_User" where "objectId" = $1 returning 1',
    values: [objectId],
  })
  if (gone.length === 0) throw new CountersignError('ObjectNotFound', 'Object not found.')
  context.db.afterCommit(() => context.sessionCache.forgetUser(objectId))
  return {}
}
