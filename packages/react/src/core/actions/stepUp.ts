import type { EndpointTypes, WireFields } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { loadPasskeys } from '../passkey/loadPasskeys.ts'
import { requirePasskeys } from '../passkey/requirePasskeys.ts'
import { request } from '../request.ts'
import { requireString } from '../requireString.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { takeToken } from '../session/takeToken.ts'
import { createWish } from '../wallet/createWish.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'
import { openPrompt } from '../wallet/openPrompt.ts'
import { readSigner } from '../wallet/readSigner.ts'
import type { SignerInput } from '../wallet/Signer.ts'
import { toDated } from '../wire/toDated.ts'

/** By password, by one of the user's wallets, by a passkey, or by a passkey's answer to a challenge for this purpose. */
export type StepUpInput =
  | { readonly password: string }
  | SignerInput
  | { readonly passkey: true }
  | { readonly credential: WireFields }

export type Confirmation = { readonly confirmedUntil: Date }

/**
 * Shows the server once more that it is the user who sits there; changes to the ways in need that of late. A refusal
 * that asks for it has the code 119 and details that begin with `step-up`.
 *
 * @example
 * await stepUp(client, { password: 'correct horse' })
 * await unlinkWallet(client, { objectId: wallet.objectId })
 */
export function stepUp(
  client: Client,
  input: StepUpInput,
  callbacks: Callbacks<Confirmation> = {},
): Promise<Confirmation | undefined> {
  return runAction(client, callbacks, () => {
    const { credential } = requireUser(client, 'confirming')
    const confirm = async (shown: EndpointTypes['stepUp']['input'], signal: AbortSignal | undefined) =>
      toDated(takeToken(client, credential, await request(client, 'stepUp', shown, { signal })))
    if ('password' in input) {
      const { password } = input
      requireString('password', password)
      return confirm({ password }, callbacks.signal)
    }
    if ('passkey' in input)
      return askPasskey(client, callbacks.signal).then((shown) => confirm(shown, callbacks.signal))
    if ('credential' in input) return confirm({ credential: input.credential }, callbacks.signal)
    const chosen = readSigner(client, input)
    return openPrompt(client, createWish('stepUp', chosen), callbacks.signal, async ({ signal }) => {
      const { proveWallet } = await loadWalletLayer()
      return proveWallet(client, { purpose: 'stepUp', chosen, signal }, (proof) => confirm(proof, signal))
    })
  })
}

async function askPasskey(client: Client, signal: AbortSignal | undefined): Promise<{ credential: WireFields }> {
  requirePasskeys()
  const [{ options }, { getPasskey }] = await Promise.all([
    request(client, 'createPasskeyChallenge', { purpose: 'stepUp' }, { signal }),
    loadPasskeys(),
  ])
  return { credential: await getPasskey(options, signal) }
}
