import type { WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { type OpenedAccount, openAccount } from './openAccount.ts'
import { type ProofInput, proveAccount } from './proveAccount.ts'

/** Opens a session for the owner of the wallet that signed our challenge. */
export async function signInWithWallet(
  context: Context,
  caller: Caller,
  input: ProofInput & { restoreAccount?: WireValue },
): Promise<OpenedAccount> {
  const proof = await proveAccount(context, caller, 'signIn', input)
  return openAccount(context, caller, proof, proof.account.namespace, input.restoreAccount === true)
}
