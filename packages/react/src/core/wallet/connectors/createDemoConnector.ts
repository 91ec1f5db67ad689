import type { StorageAdapter } from '../../SyncStorage.ts'
import type { Chain } from '../Chain.ts'
import type { Connector } from '../Connector.ts'
import { createEip1193Connector } from '../createEip1193Connector.ts'
import type { Eip1193Provider } from '../Eip1193Provider.ts'
import { loadWalletLinks } from '../loadWalletLinks.ts'

export type DemoOptions = {
  readonly storage?: StorageAdapter
  readonly chains?: readonly Pick<Chain, 'id' | 'rpcUrls'>[]
}

/**
 * A wallet to try things out with (D9): a throw-away key that lies open in the browser's storage and signs without
 * asking. It is for development; whoever can run a script in the page can take the key.
 *
 * @example
 * const client = createClient({ connectors: [createDemoConnector()] })
 */
export function createDemoConnector({ storage, chains = [] }: DemoOptions = {}): Connector {
  let provider: Promise<Eip1193Provider> | undefined
  return createEip1193Connector({ id: 'demo', kind: 'demo', name: 'Demo wallet' }, () => {
    provider ??= loadWalletLinks()
      .then(({ openDemoProvider }) => openDemoProvider(storage, chains))
      .catch((error) => {
        provider = undefined
        throw error
      })
    return provider
  })
}
