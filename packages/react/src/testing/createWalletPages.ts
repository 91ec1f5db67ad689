import type { Client, ClientOptions } from '../core/client/Client.ts'
import { createClient } from '../core/setup/createClient.ts'
import type { WalletState } from '../core/state/WalletState.ts'
import { announceTestWallet } from '../testWallet/announceTestWallet.ts'
import { createTestWallet } from '../testWallet/createTestWallet.ts'
import type { TestWalletOptions } from '../testWallet/TestWallet.ts'
import type { createMemory } from './createMemory.ts'
import { createPage } from './createPage.ts'

function watch(client: Client): string[] {
  const seen: string[] = []
  client.internal.wallet.subscribe(() => seen.push(client.wallet.get().status))
  return seen
}

export function connected(client: Client): Extract<WalletState, { status: 'connected' }> {
  const state = client.wallet.get()
  if (state.status !== 'connected') throw new Error(`it is ${state.status}`)
  return state
}

/** Pages with a wallet in them. */
export function createWalletPages(stubGlobal: Parameters<typeof createPage>[0]) {
  /** A page with a wallet in it, and a client without a server (D7). */
  async function open(options: TestWalletOptions = {}, clientOptions: ClientOptions = {}) {
    const page = createPage(stubGlobal)
    const wallet = announceTestWallet(await createTestWallet(options), page)
    const client = createClient({ throwOnError: true, ...clientOptions })
    return { page, wallet, client, seen: watch(client) }
  }

  /** A reload: the same storage and the same wallet, and nothing else. */
  function reload(page: Window, clientOptions: ClientOptions = {}) {
    const next = createPage(
      stubGlobal,
      'http://app.test',
      page.localStorage as unknown as ReturnType<typeof createMemory>,
    )
    const client = createClient({ throwOnError: true, ...clientOptions })
    return { page: next, client, seen: watch(client) }
  }

  return { open, reload }
}
