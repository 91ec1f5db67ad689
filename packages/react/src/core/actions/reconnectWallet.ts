import type { Client } from '../Client.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'

/**
 * Connects the wallet used last again, if it still shares an account. It never opens a window, and never fails.
 *
 * @example
 * await reconnectWallet(client)
 */
export async function reconnectWallet(client: Client): Promise<void> {
  const layer = await loadWalletLayer().catch(() => undefined)
  await layer?.resumeWallet(client)
}
