import type { ClientOptions } from '../core/client/Client.ts'
import { createClient } from '../core/setup/createClient.ts'
import type { Eip1193Provider } from '../core/state/Connector.ts'
import { askNode } from '../core/wallet/connectors/walletLinks.ts'
import { connectWallet } from '../core/wallet/connectWallet.ts'
import { announceTestWallet } from '../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../testWallet/createTestWallet.ts'
import { createPage } from './createPage.ts'
import type { TestChain } from './startChain.ts'

export const sent = (wallet: { prompts(): readonly { method: string }[] }) =>
  wallet.prompts().map(({ method }) => method)

/** Pages with a wallet that has money on a chain. */
export function createFundedPages(chainOf: () => TestChain, stubGlobal: Parameters<typeof createPage>[0]) {
  /** A provider that is no wallet: the node itself. */
  const openNode = (): Eip1193Provider => ({ request: (call) => askNode(chainOf().url, call) })

  /** A page with a wallet that has ten ether, connected; there is no server (D7). */
  async function open(options: ClientOptions = {}) {
    const page = createPage(stubGlobal)
    const wallet = announceTestWallet(
      await createTestWallet({ rpcUrl: chainOf().url, chainId: chainOf().chainId, chains: [1, chainOf().chainId] }),
      page,
    )
    const account = wallet.addresses[0] ?? '0x'
    await chainOf().give(account, 10n ** 19n)
    const client = createClient({ throwOnError: true, ...options })
    await connectWallet(client)
    wallet.clear()
    return { wallet, client, account, other: wallet.addresses[1] ?? '0x' }
  }

  return { open, openNode }
}
