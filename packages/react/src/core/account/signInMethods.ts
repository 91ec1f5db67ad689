import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import type { SignInMethods } from '../values/records.ts'
import { runAccountAction } from './runAccountAction.ts'

/**
 * All sign-in methods of the user's account: password, wallets, passkeys.
 *
 * @example
 * const hasPassword = (await listSignInMethods(client))?.password
 */
export function listSignInMethods(client: Client, options?: ActionOptions): Promise<SignInMethods> {
  return runAccountAction(client, options, (account, signal) => account.listSignInMethods(client, signal))
}
