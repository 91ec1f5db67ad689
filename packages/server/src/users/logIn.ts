import type { CreatedWith, UserRecord } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { runAfter } from '../hooks/runAfter.ts'
import { runBeforeSignIn } from '../hooks/runBeforeSignIn.ts'
import { createSession } from './createSession.ts'
import { findByPassword, type PasswordInput } from './proveByPassword.ts'

type SignInInput = PasswordInput & { restoreAccount?: boolean | undefined }

const byPassword: CreatedWith = { action: 'login', authProvider: 'password' }

/** Opens a session for the user whose password this is. */
export async function logIn(context: Context, caller: Caller, input: SignInInput): Promise<UserRecord> {
  const { user, still } = await findByPassword(context, caller, input, input.restoreAccount)
  await runBeforeSignIn(context, caller, user)
  const session = await createSession(context, caller, user.objectId, byPassword, { still })
  const answer = { ...user, sessionToken: session.token }
  await runAfter(context, caller, { hook: 'afterSignIn', className: '_User', object: answer })
  return answer as UserRecord
}
