import { CountersignError } from '@countersign/protocol'
import type { SyncStorage } from '../../SyncStorage.ts'
import { openStorage } from '../../storage.ts'
import type { Chain } from '../Chain.ts'
import type { Connector } from '../Connector.ts'
import { createEip1193Connector } from '../createEip1193Connector.ts'
import { defaultChainId } from '../defaultChainId.ts'
import type { Eip1193Provider } from '../Eip1193Provider.ts'
import { loadWalletLinks } from '../loadWalletLinks.ts'

const key = 'Countersign/demoWallet'

export type DemoOptions = { readonly storage?: SyncStorage; readonly chains?: readonly Pick<Chain, 'id' | 'rpcUrls'>[] }

/**
 * A wallet to try things out with (D9): a throw-away key that lies open in the browser's storage and signs without
 * asking. It is for development; whoever can run a script in the page can take the key.
 *
 * @example
 * const client = createClient({ connectors: [createDemoConnector()] })
 */
export function createDemoConnector({ storage, chains = [] }: DemoOptions = {}): Connector {
  let provider: Promise<Eip1193Provider> | undefined
  async function load(): Promise<Eip1193Provider> {
    const { createDemoProvider } = await import('../createDemoProvider.ts').catch((cause) => {
      throw new CountersignError('OtherCause', 'The demo wallet could not be loaded.', {
        cause,
        details: 'It signs by the package viem: npm install viem',
      })
    })
    const { createRpcProvider } = await loadWalletLinks()
    const store = openStorage(storage)
    const known = chains.length > 0 ? chains : [{ id: defaultChainId, rpcUrls: [] }]
    const made = createDemoProvider(store.getItem(key), createRpcProvider(known, known[0]?.id ?? defaultChainId))
    store.setItem(key, made.privateKey)
    return made.provider
  }
  return createEip1193Connector({ id: 'demo', kind: 'demo', name: 'Demo wallet' }, () => {
    provider ??= load().catch((error) => {
      provider = undefined
      throw error
    })
    return provider
  })
}
