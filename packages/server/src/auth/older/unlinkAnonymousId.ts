import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { noteActivity } from '../../users/noteActivity.ts'
import { keepLastWayIn } from '../keepLastWayIn.ts'

/** Takes the id off: it opens the account no longer. For a caller who may change the user. */
export async function unlinkAnonymousId(context: Context, caller: Caller, userId: string): Promise<void> {
  const { db } = context
  const linked = await db.query({
    text: 'select 1 from "_User" where "objectId" = $1 and "_anonymous" is not null',
    values: [userId],
  })
  if (linked.length === 0) return
  await keepLastWayIn(context, caller, 'unlinkAnonymousId', userId, async () => {
    await db.query({ text: 'update "_User" set "_anonymous" = null where "objectId" = $1', values: [userId] })
    await noteActivity(context, caller, userId, 'unlinkAnonymous')
  })
  db.afterCommit(() => context.sessionCache.forgetUser(userId))
}
