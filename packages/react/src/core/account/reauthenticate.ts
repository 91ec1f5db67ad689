import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import { closeOnFailure, openPopup } from '../session/popup.ts'
import { runAccountAction, runWalletProof } from './accountAction.ts'
import type { Proof, ReauthenticateInput, Reauthentication, SecondCode } from './inputs.ts'

/**
 * Proves again that the user is present; changes to sign-in methods need a recent proof. A refusal
 * that asks for it has the reason `reauthenticationRequired`.
 *
 * @example
 * await reauthenticate(client, { password: 'correct horse' })
 * await unlinkWallet(client, { objectId: wallet.objectId })
 */
export function reauthenticate(
  client: Client,
  input: ReauthenticateInput,
  options?: ActionOptions,
): Promise<Reauthentication> {
  if (!isOther(input)) {
    return runWalletProof(client, 'reauthenticate', input, options, (account, proof, options) =>
      account.reauthenticateWithWallet(client, input, proof, options),
    )
  }
  const popup = openPopup(input)
  return closeOnFailure(
    popup,
    runAccountAction(client, (account) => account.reauthenticateBy(client, input, popup, options)),
  )
}

/** Anything but a wallet. */
function isOther(input: ReauthenticateInput): input is SecondCode & Proof {
  return ['password', 'passkey', 'credential', 'provider', 'response', 'emailCode', 'farcaster'].some(
    (name) => name in input,
  )
}
