import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { requireString } from '../requireString.ts'
import { runAction } from '../runAction.ts'
import { findOpenSigner } from '../wallet/findOpenSigner.ts'
import { missingWallet } from '../wallet/missingWallet.ts'
import { openPrompt } from '../wallet/openPrompt.ts'
import { signText } from '../wallet/signText.ts'

export type SignMessageInput = { readonly message: string }

/**
 * Has the connected wallet sign a text, and answers the signature.
 *
 * @example
 * const signature = await signMessage(client, { message: 'I was here' })
 */
export function signMessage(
  client: Client,
  input: SignMessageInput,
  callbacks: Callbacks<string> = {},
): Promise<string | undefined> {
  return runAction(client, callbacks, async () => {
    const { message } = input
    requireString('message', message)
    const open = findOpenSigner(client)
    if (!open) throw missingWallet()
    const { signer, shown } = open
    return openPrompt(client, ['signMessage', signer, message], callbacks.signal, async ({ signal }) => {
      const { signature } = await signText(signer, { shown, signal }, async () => message)
      return signature
    })
  })
}
