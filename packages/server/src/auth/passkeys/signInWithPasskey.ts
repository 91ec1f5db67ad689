import { refuse, type UserRecord } from '@countersign/protocol'
import type { Assertion } from '@countersign/protocol/contract'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { runAfter } from '../../hooks/runAfter.ts'
import { runBeforeSignIn } from '../../hooks/runBeforeSignIn.ts'
import { restoreLocked } from '../../users/accountDeletion.ts'
import { createSession } from '../../users/createSession.ts'
import { findUser } from '../../users/findUser.ts'
import { encodeUser } from '../../users/UserRow.ts'
import { provePasskey } from './provePasskey.ts'

/** Opens a session for whoever holds a passkey of ours; no user name is asked. */
export async function signInWithPasskey(
  context: Context,
  caller: Caller,
  { credential, restoreAccount = false }: { credential: Assertion; restoreAccount?: boolean | undefined },
): Promise<UserRecord> {
  const { userId, passkeyId, userVerified, proof } = await provePasskey(context, caller, 'signIn', credential)
  const found = await findUser(context, userId)
  if (!found) throw refuse('passkeyUnknown')
  const row = await restoreLocked(context, caller, found, restoreAccount)
  if (!row) throw refuse('accountLocked', undefined, { status: 401 })
  await runBeforeSignIn(context, caller, encodeUser(context, row))
  // A key without a PIN shows that somebody holds it, not who: such a session cannot change the ways in.
  const still = {
    text: 'select from countersign.passkeys where "objectId" = $1 and "user" = $2',
    values: [passkeyId, userId],
  }
  const options = userVerified ? { proof, still } : { proof, still, confirmed: new Date(0) }
  const createdWith = { action: 'login', authProvider: 'passkey' } as const
  const { token } = await createSession(context, caller, userId, createdWith, options)
  const answer = { ...encodeUser(context, row), objectId: userId, sessionToken: token }
  await runAfter(context, caller, { hook: 'afterSignIn', className: '_User', object: answer })
  return answer as UserRecord
}
