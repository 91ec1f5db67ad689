import type { Connector, Eip1193Provider } from '../../state/Connector.ts'
import { missingWallet } from '../proof/missingWallet.ts'
import { loadWalletLinks } from './loadWalletLinks.ts'

/** Description of an EVM wallet's connector. */
export type Eip1193Info = Pick<Connector, 'id' | 'kind' | 'name' | 'icon' | 'rdns'>

/**
 * Makes a connector of anything that gives an EIP-1193 provider. `getProvider` is called when the wallet is used, so
 * that an SDK can be loaded then.
 *
 * @example
 * const connector = createEip1193Connector(
 *   { id: 'ours', kind: 'custom', name: 'Our wallet' },
 *   async () => (await import('our-wallet')).provider,
 * )
 */
export function createEip1193Connector(
  info: Eip1193Info,
  getProvider: (options: { readonly signal?: AbortSignal }) => Promise<Eip1193Provider | undefined>,
): Connector {
  return {
    ...info,
    namespace: 'eip155',
    async connect(options) {
      const { openEip1193Link } = await loadWalletLinks()
      const provider = await getProvider(options)
      const link = provider && (await openEip1193Link(provider, { ...options, prompt: true }))
      if (!link) throw missingWallet()
      return link
    },
    async reconnect(options) {
      const { openEip1193Link } = await loadWalletLinks()
      const provider = await getProvider(options)
      return provider && openEip1193Link(provider, { ...options, prompt: false })
    },
  }
}
