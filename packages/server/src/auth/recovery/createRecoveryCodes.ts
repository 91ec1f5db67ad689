import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { needSession } from '../../users/needSession.ts'
import { noteActivity } from '../../users/noteActivity.ts'
import { notifyOwner } from '../../users/notifyOwner.ts'
import { makeSensitiveChange } from '../../users/sensitiveChanges.ts'
import { hashRecoveryCode, newRecoveryCode } from './recoveryCode.ts'

const count = 10

/** Ten new codes, told once; those made before open nothing any more. */
export async function createRecoveryCodes(context: Context, caller: Caller): Promise<{ codes: string[] }> {
  const { userId } = needSession(caller)
  const codes = Array.from({ length: count }, newRecoveryCode)
  // Two at once would leave twenty: the user is held meanwhile.
  await makeSensitiveChange(context, caller, 'createRecoveryCodes', userId, async () => {
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
