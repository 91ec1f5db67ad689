import type { Client } from '../../core/Client.ts'
import { moveWallet } from '../../core/wallet/moveWallet.ts'
import { forgetWallet } from '../../core/wallet/rememberedWallet.ts'

/** Lets the wallet go without taking its permission back, so that it need not be given again at the next sign-in. */
export function forgetConnection(client: Client): void {
  client.internal.reconnecting?.abort()
  forgetWallet(client)
  client.internal.walletParts.open?.stop()
  moveWallet(client, { open: undefined, error: undefined })
}
