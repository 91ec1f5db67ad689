import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { loadWalletLayer } from './loadWalletLayer.ts'

export type SignMessageInput = { readonly message: string }

/**
 * Asks the connected wallet to sign a text, and returns the signature.
 *
 * @example
 * const signature = await signMessage(client, { message: 'I was here' })
 */
export function signMessage(client: Client, input: SignMessageInput, { signal }: ActionOptions = {}): Promise<string> {
  return runAction(client, async () => {
    const { askToSign } = await loadWalletLayer()
    return askToSign(client, input.message, signal)
  })
}
