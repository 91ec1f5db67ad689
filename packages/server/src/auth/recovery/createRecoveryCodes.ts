import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { lockUsers } from '../../users/lockUsers.ts'
import { needConfirmation } from '../../users/needConfirmation.ts'
import { noteActivity } from '../../users/noteActivity.ts'
import { notifyOwner } from '../../users/notifyOwner.ts'
import { hashRecoveryCode, newRecoveryCode } from './recoveryCode.ts'

const count = 10

/** Ten new codes, told once; those made before open nothing any more. */
export async function createRecoveryCodes(context: Context, caller: Caller): Promise<{ codes: string[] }> {
  const { userId } = needConfirmation(context, caller)
  const codes = Array.from({ length: count }, newRecoveryCode)
  await context.db.transaction(async () => {
    // Two at once would leave twenty.
    await lockUsers(context, [userId])
    await context.db.query({ text: 'delete from countersign.recovery_codes where "user" = $1', values: [userId] })
    await context.db.query({
      text: `insert into countersign.recovery_codes ("user", hash, created) select $1, unnest($2::bytea[]), $3`,
      values: [userId, codes.map((code) => hashRecoveryCode(userId, code)), context.clock.now()],
    })
    await noteActivity(context, caller, userId, 'createRecoveryCodes')
    notifyOwner(context, userId, (say) => say('recoveryCodesMade'))
  })
  return { codes }
}
