import type { Client } from '../Client.ts'
import { discoverWallets } from './discoverWallets.ts'
import { resumeWallet } from './resumeWallet.ts'

/** Looks for wallets and connects the one used last again; asks nobody anything. */
export async function startWalletLayer(client: Client): Promise<void> {
  discoverWallets(client)
  await resumeWallet(client)
}
