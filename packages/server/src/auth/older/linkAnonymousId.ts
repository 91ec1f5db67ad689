import { CountersignError, refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { hashToken } from '../../context/newToken.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { noteActivity } from '../../users/noteActivity.ts'
import { makeSensitiveChange } from '../../users/sensitiveChanges.ts'

/** Lets an account be opened by the id, too. */
export async function linkAnonymousId(context: Context, caller: Caller, userId: string, id: string): Promise<void> {
  const { db } = context
  const key = hashToken(id)
  const own = await db.query({
    text: 'select 1 from "_User" where "objectId" = $1 and "_anonymous" = $2',
    values: [userId, key],
  })
  if (own.length > 0) return
  if (!caller.isMaster && caller.session?.userId !== userId) {
    throw new CountersignError('SessionMissing', `Cannot modify user ${userId.slice(0, 64)}.`)
  }
  await makeSensitiveChange(context, caller, 'linkAnonymousId', userId, async () => {
    const rows = await db
      .query({ text: 'update "_User" set "_anonymous" = $2 where "objectId" = $1 returning 1', values: [userId, key] })
      .catch((error) => {
        if (!isUniqueViolation(error, '_User_anonymous')) throw error
        throw new CountersignError('AccountAlreadyLinked', 'this auth is already used')
      })
    if (rows.length === 0) throw refuse('objectNotFound')
    db.afterCommit(() => context.sessionCache.forgetUser(userId))
    await noteActivity(context, caller, userId, 'linkAnonymous')
  })
}
