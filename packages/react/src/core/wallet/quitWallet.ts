import type { Client } from '../Client.ts'
import { moveWallet } from './moveWallet.ts'
import { forgetWallet } from './rememberedWallet.ts'

/** Forgets the wallet in use, and asks it to take its permission back where it can. */
export async function quitWallet(client: Client): Promise<void> {
  const { internal } = client
  internal.reconnecting?.abort()
  forgetWallet(client)
  const { open } = internal.walletParts
  open?.stop()
  moveWallet(client, { open: undefined, error: undefined })
  await open?.link.disconnect()
}
