import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import { runAccountAction, runWalletProof } from './accountAction.ts'
import type { RecoverAccountInput } from './inputs.ts'

/**
 * Undoes what somebody added to the account, with the token of the mailed link and a password, wallet or passkey that
 * the account had before. Every session ends. A wallet or passkey that is too new is refused as `olderProofRequired`.
 *
 * @example
 * await recoverAccount(client, { token: 'from-the-link', password: 'correct horse', newPassword: 'battery staple' })
 */
export function recoverAccount(client: Client, input: RecoverAccountInput, options?: ActionOptions): Promise<void> {
  if ('password' in input || 'passkey' in input)
    return runAccountAction(client, (account) => account.recoverAccountBy(client, input, options))
  return runWalletProof(client, 'signIn', input, options, (account, proof, options) =>
    account.recoverAccountWithWallet(client, input, proof, options),
  )
}
