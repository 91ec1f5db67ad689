import { type EndpointTypes, refuse, type UserRecord } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { runAfter } from '../../hooks/runAfter.ts'
import { runBeforeSignIn } from '../../hooks/runBeforeSignIn.ts'
import { restoreLocked } from '../../users/accountDeletion.ts'
import { createSession } from '../../users/createSession.ts'
import { findUserByName } from '../../users/findUserByName.ts'
import { forgetFailures, underLockout } from '../../users/lockout.ts'
import { nameKey } from '../../users/nameKey.ts'
import { noteActivity } from '../../users/noteActivity.ts'
import { notifyOwner } from '../../users/notifyOwner.ts'
import { refuseUnverified } from '../../users/proveByPassword.ts'
import { encodeUser, type UserRow } from '../../users/UserRow.ts'
import { hashRecoveryCode } from './recoveryCode.ts'

/**
 * Opens a session by one of the codes that its owner keeps for the worst day. The code is spent by it. Unknown name
 * and wrong code give the same answer after the same work, and are counted by name, apart from wrong passwords.
 */
export async function signInWithRecoveryCode(
  context: Context,
  caller: Caller,
  { username, code, restoreAccount = false }: EndpointTypes['signInWithRecoveryCode']['input'],
): Promise<UserRecord> {
  const check = () => spend(context, caller, username, code, restoreAccount)
  const row = await underLockout(context, username, check, 'recovery')
  if (!row) throw refuse('invalidRecoveryCode')
  // The owner is here, and will want to sign in by the new password.
  await forgetFailures(context, [nameKey(row.username), nameKey(row.email ?? '')])
  const user = { ...encodeUser(context, row), objectId: row.objectId }
  await runBeforeSignIn(context, caller, user)
  const createdWith = { action: 'login', authProvider: 'recovery' } as const
  const still = {
    text: 'select from countersign.recovery_codes where "user" = $1 and hash = $2',
    values: [row.objectId, hashRecoveryCode(row.objectId, code)],
  }
  const { token } = await createSession(context, caller, row.objectId, createdWith, { still })
  const answer = { ...user, sessionToken: token }
  await runAfter(context, caller, { hook: 'afterSignIn', className: '_User', object: answer })
  return answer as UserRecord
}

/** One statement finds the code and uses it up: of two who send it at once, one gets in. */
async function spend(
  context: Context,
  caller: Caller,
  name: string,
  code: string,
  restores: boolean,
): Promise<UserRow | undefined> {
  const found = await findUserByName(context, name)
  const userId = found?.objectId ?? ''
  return context.db.transaction(async () => {
    const spent = await context.db.query({
      text: `update countersign.recovery_codes set used = $3 where "user" = $1 and hash = $2 and used is null returning 1`,
      values: [userId, hashRecoveryCode(userId, code), context.clock.now()],
    })
    if (!found || spent.length === 0) return undefined
    // A refusal undoes what was spent.
    const user = await restoreLocked(context, caller, found, restores)
    if (!user) throw refuse('invalidRecoveryCode')
    refuseUnverified(context, user)
    await noteActivity(context, caller, userId, 'useRecoveryCode')
    notifyOwner(context, userId, (say) => say('recoveryCodeUsed'))
    return user
  })
}
