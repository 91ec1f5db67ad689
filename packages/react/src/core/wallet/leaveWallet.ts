import type { Client } from '../Client.ts'
import { moveWallet } from './moveWallet.ts'
import { forgetWallet } from './rememberedWallet.ts'

/** Lets the wallet go without taking its permission back, so that it need not be given again at the next sign-in. */
export function leaveWallet(client: Client): void {
  client.internal.reconnecting?.abort()
  forgetWallet(client)
  client.internal.walletParts.open?.stop()
  moveWallet(client, { open: undefined, error: undefined })
}
