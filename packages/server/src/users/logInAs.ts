import { CountersignError, type UserRecord } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { createSession } from './createSession.ts'
import { findUser } from './findUser.ts'
import { encodeUser } from './UserRow.ts'

/** Opens a session for any user, for whoever holds the master key. */
export async function logInAs(context: Context, caller: Caller, userId: string): Promise<UserRecord> {
  if (!caller.isMaster) throw new CountersignError('OperationForbidden', 'master key is required')
  const row = await findUser(context, userId)
  if (!row) throw new CountersignError('ObjectNotFound', 'user not found')
  const createdWith = { action: 'login', authProvider: 'masterkey' } as const
  // The user has shown nothing: who gets this session handed on must not change what opens the account.
  const session = await createSession(context, { ...caller, installationId: undefined }, userId, createdWith, {
    confirmed: new Date(0),
  })
  return { ...encodeUser(context, row), sessionToken: session.token } as UserRecord
}
