import type { Client } from '../Client.ts'
import { discoverWallets } from './discoverWallets.ts'
import { resumeWallet } from './resumeWallet.ts'
import { watchFocus } from './watchFocus.ts'

/** Looks for wallets, follows the one in use and connects the one used last again; asks nobody anything. */
export async function startWalletLayer(client: Client): Promise<void> {
  discoverWallets(client)
  watchFocus(client)
  await resumeWallet(client)
}
