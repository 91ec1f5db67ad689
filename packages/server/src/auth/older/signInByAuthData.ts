import { CountersignError, type WireChanges, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { deleteUser } from '../../users/deleteUser.ts'
import { findSession } from '../../users/findSession.ts'
import { findUser } from '../../users/findUser.ts'
import { decodeUser } from '../../users/UserRow.ts'
import { updateUser } from '../../users/updateUser.ts'
import { type OpenedAccount, openAccount } from '../openAccount.ts'
import { echoAuthData } from './echoAuthData.ts'
import { asOlderClientsKnowIt, proveByAuthData } from './proveByAuthData.ts'
import { readAuthData } from './readAuthData.ts'

/** R19: signs the owner of a wallet in by `id`, `signature` and `data`; sign-up and sign-in are one and the same request. */
export async function signInByAuthData(context: Context, caller: Caller, input: WireChanges): Promise<OpenedAccount> {
  const { authData, ...fields } = input
  const [given, ...more] = readAuthData(authData as WireValue)
  if (!given || more.length > 0) throw new CountersignError('UnsupportedService', 'One wallet at a time signs in.')
  // A session that comes along has no part in this: a sign-in is for whoever holds the wallet.
  const { session: _left, ...guest } = caller
  const proof = await proveByAuthData(context, guest, 'signIn', given)
  const { user, isNew } = await openAccount(context, guest, proof, given.provider).catch(asOlderClientsKnowIt)
  // What comes along is for a new account alone, as a sign-in changes nothing.
  const row = isNew && Object.keys(fields).length > 0 ? await fillIn(context, guest, user, fields) : user
  return { user: { ...row, authData: echoAuthData(row) }, isNew }
}

async function fillIn(
  context: Context,
  guest: Caller,
  user: OpenedAccount['user'],
  fields: WireChanges,
): Promise<OpenedAccount['user']> {
  const caller = { ...guest, session: await findSession(context, user.sessionToken) }
  try {
    const { sessionToken = user.sessionToken } = (await updateUser(
      context,
      caller,
      user.objectId,
      fields,
    )) as WireFields
    const row = await findUser(context, user.objectId)
    if (!row) throw new CountersignError('ObjectNotFound', 'Object not found.')
    return {
      ...decodeUser(context.classes.get('_User'), row),
      objectId: user.objectId,
      sessionToken: String(sessionToken),
    }
  } catch (error) {
    // All of it or none: a name that is taken leaves no account without it behind.
    await deleteUser(context, caller, user.objectId)
    throw error
  }
}
