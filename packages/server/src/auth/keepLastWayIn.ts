import { refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { makeSensitiveChange, type SensitiveChange } from '../users/sensitiveChanges.ts'

/**
 * Carries a removal out as the sensitive change that it is, and takes it back where no sign-in method would be left. The
 * user's row is held meanwhile, so that two removals at once cannot each count on what the other takes away.
 */
export function keepLastWayIn<Result>(
  context: Context,
  caller: Caller,
  change: SensitiveChange,
  userId: string,
  remove: () => Promise<Result>,
): Promise<Result> {
  const { db } = context
  return makeSensitiveChange(context, caller, change, userId, async () => {
    const result = await remove()
    const left = await db.query({
      text: `select from "_User" u where u."objectId" = $1 and (
               u."_password_hash" is not null
               or exists (select from countersign.wallets where "user" = $1)
               or exists (select from countersign.passkeys where "user" = $1)
             )`,
      values: [userId],
    })
    if (left.length > 0) return result
    throw refuse('lastSignInMethod')
  })
}
