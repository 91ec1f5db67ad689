import { runAccountAction } from '../../account/runAccountAction.ts'
import type { Client } from '../../Client.ts'
import type { SignInMethods } from '../../records.ts'
import type { ActionOptions } from '../../runAction.ts'

/**
 * All sign-in methods of the user's account: password, wallets, passkeys.
 *
 * @example
 * const hasPassword = (await listSignInMethods(client))?.password
 */
export function listSignInMethods(client: Client, options?: ActionOptions): Promise<SignInMethods> {
  return runAccountAction(client, options, (account, signal) => account.listSignInMethods(client, signal))
}
