import type { Client } from '../client/Client.ts'
import { toCountersignError } from '../errors/errors.ts'
import { loadStorage } from '../platform/storage.ts'
import { disconnected, expectsWallet, walletKey } from './connection/rememberedWallet.ts'
import { loadWalletLinks } from './connectors/loadWalletLinks.ts'
import { loadWalletLayer } from './loadWalletLayer.ts'

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
  const { internal } = client
  const loading = loadStorage(client, [walletKey])
  if (loading) await loading
  // Known at once, so that nobody looks at a wallet that is not being waited for.
  if (!expectsWallet(client)) internal.wallet.set(disconnected)
  try {
    const [{ startWalletLayer }] = await Promise.all([loadWalletLayer(), loadWalletLinks()])
    await startWalletLayer(client)
  } catch (cause) {
    // The next look at the wallet tries again.
    internal.startingWallet = undefined
    internal.wallet.set({ status: 'disconnected', error: toCountersignError(cause) })
  }
}
