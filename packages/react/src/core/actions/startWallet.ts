import type { Client } from '../Client.ts'
import { discoverWallets } from '../wallet/discoverWallets.ts'
import { watchFocus } from '../wallet/watchFocus.ts'
import { reconnectWallet } from './reconnectWallet.ts'

/**
 * Looks for wallets and connects the one used last again, without a prompt. `initialize` does this too, and so does the
 * first look at `client.wallet`; it is needed only where neither happens. It runs once.
 *
 * @example
 * const client = createClient()
 * await startWallet(client)
 * client.wallet.get().status // 'connected', if a wallet was connected before the reload
 */
export function startWallet(client: Client): Promise<void> {
  client.internal.startingWallet ??= start(client)
  return client.internal.startingWallet
}

async function start(client: Client): Promise<void> {
  discoverWallets(client)
  watchFocus(client)
  await reconnectWallet(client)
}
