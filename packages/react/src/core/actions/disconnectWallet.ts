import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { runAction } from '../runAction.ts'
import { moveWallet } from '../wallet/moveWallet.ts'
import { forgetWallet } from '../wallet/rememberedWallet.ts'

/**
 * Forgets the wallet, and asks it to take its permission back where it can. The session stays as it is.
 *
 * @example
 * await disconnectWallet(client)
 */
export function disconnectWallet(client: Client, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, async () => {
    const { internal } = client
    internal.prompt?.cancel()
    internal.reconnecting?.abort()
    forgetWallet(client)
    const { open } = internal.walletParts
    open?.stop()
    moveWallet(client, { open: undefined, error: undefined })
    await open?.link.disconnect()
  })
}
