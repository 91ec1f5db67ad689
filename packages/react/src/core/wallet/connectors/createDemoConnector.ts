import type { StorageAdapter } from '../../client/Client.ts'
import type { Chain, Connector, Eip1193Provider } from '../../state/Connector.ts'
import { createEip1193Connector } from './createEip1193Connector.ts'
import { loadWalletLinks } from './loadWalletLinks.ts'

export type DemoOptions = {
  readonly storage?: StorageAdapter
  readonly chains?: readonly Pick<Chain, 'id' | 'rpcUrls'>[]
}

/**
 * A wallet to try things out with: a throw-away key that lies open in the browser's storage and signs without
 * asking. It is for development; any script in the page can take the key.
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
