import type { WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import type { FarcasterInput } from '../session/farcaster.ts'
import { closeOnFailure, openPopup, type ProviderInput } from '../session/providers.ts'
import type { SignerInput } from '../state/Connector.ts'
import { runAccountAction, runWalletProof } from './runAccountAction.ts'

/** A code of the app or a recovery code, besides anything but a passkey, where the account has a second factor. */
export type SecondCode = { readonly secondFactorCode?: string }

/**
 * By password, by one of the user's wallets, by a passkey, by a passkey's answer to a challenge for this purpose,
 * by a provider, by Farcaster, or by a code that `requestEmailCode` had mailed for it.
 */
export type ReauthenticateInput = SecondCode & (Proof | SignerInput)

export type Proof =
  | { readonly password: string }
  | { readonly passkey: true }
  | { readonly credential: WireFields }
  | ProviderInput
  | { readonly farcaster: FarcasterInput }
  | { readonly emailCode: { readonly handle: string; readonly code: string } }

export type Reauthentication = { readonly confirmedUntil: Date }

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
    return runWalletProof(client, 'reauthenticate', input, options, (account, proof, signal) =>
      account.reauthenticateWithWallet(client, input, proof, signal),
    )
  }
  const popup = openPopup(input)
  return closeOnFailure(
    popup,
    runAccountAction(client, options, (account, signal) => account.reauthenticate(client, input, popup, signal)),
  )
}

/** Anything but a wallet. */
function isOther(input: ReauthenticateInput): input is SecondCode & Proof {
  return ['password', 'passkey', 'credential', 'provider', 'response', 'emailCode', 'farcaster'].some(
    (name) => name in input,
  )
}
