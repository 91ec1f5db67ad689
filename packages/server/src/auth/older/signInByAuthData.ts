import { CountersignError, type WireChanges, type WireValue } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { type OpenedAccount, openAccount } from '../openAccount.ts'
import { echoAuthData } from './echoAuthData.ts'
import { fillInAccount } from './fillInAccount.ts'
import { asOlderClientsKnowIt, proveByAuthData } from './proveByAuthData.ts'
import { readAnonymousId } from './readAnonymousId.ts'
import { readAuthData } from './readAuthData.ts'
import { signInAnonymously } from './signInAnonymously.ts'

/** R19: signs the owner of a wallet in by `id`, `signature` and `data`; sign-up and sign-in are one and the same request. */
export async function signInByAuthData(context: Context, caller: Caller, input: WireChanges): Promise<OpenedAccount> {
  const { authData, restoreAccount, ...fields } = input
  const restores = restoreAccount === true
  const [given, ...more] = readAuthData(authData as WireValue)
  const anonymousId = readAnonymousId(context, authData as WireValue)
  if (typeof anonymousId === 'string' && !given)
    return signInAnonymously(context, caller, anonymousId, fields, restores)
  if (!given || more.length > 0) throw new CountersignError('UnsupportedService', 'One wallet at a time signs in.')
  // A session that comes along has no part in this: a sign-in is for whoever holds the wallet.
  const { session: _left, ...guest } = caller
  const proof = await proveByAuthData(context, guest, 'signIn', given)
  const { user, isNew } = await openAccount(context, guest, proof, given.provider, restores).catch(asOlderClientsKnowIt)
  // What comes along is for a new account alone, as a sign-in changes nothing.
  const row = isNew && Object.keys(fields).length > 0 ? await fillInAccount(context, guest, user, fields) : user
  return { user: { ...row, authData: echoAuthData(row, false) }, isNew }
}
