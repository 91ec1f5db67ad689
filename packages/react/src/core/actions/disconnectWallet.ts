import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { runAction } from '../runAction.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'

/**
 * Forgets the wallet, and asks it to take its permission back where it can. The session stays as it is.
 *
 * @example
 * await disconnectWallet(client)
 */
export function disconnectWallet(client: Client, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, async () => {
    client.internal.prompt?.cancel()
    const { quitWallet } = await loadWalletLayer()
    await quitWallet(client)
  })
}
