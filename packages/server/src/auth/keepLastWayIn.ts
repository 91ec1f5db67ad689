import { CountersignError } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { lockUsers } from '../users/lockUsers.ts'

/**
 * Carries a removal out in a transaction, and takes it back where no way into the account would be left. The user's
 * row is held meanwhile, so that two removals at once cannot each count on what the other takes away.
 */
export function keepLastWayIn<Result>(
  context: Context,
  userId: string,
  remove: () => Promise<Result>,
): Promise<Result> {
  const { db } = context
  return db.transaction(async () => {
    await lockUsers(context, [userId])
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
    throw new CountersignError('OperationForbidden', 'This is the last way into your account. Add another one first.', {
      status: 403,
    })
  })
}
