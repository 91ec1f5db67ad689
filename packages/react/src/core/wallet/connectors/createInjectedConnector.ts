import type { Connector, Eip1193Provider } from '../../state/Connector.ts'
import { missingWallet } from '../proof/missingWallet.ts'
import { createEip1193Connector } from './createEip1193Connector.ts'
import { loadWalletLinks } from './loadWalletLinks.ts'

/** Milliseconds that a wallet in the browser is waited for. */
export const providerWait = 3000

export type InjectedOptions = {
  readonly id?: string
  readonly name?: string
  /** Milliseconds to wait for the provider; 3000 by default. */
  readonly timeout?: number
  /** Provider; `window.ethereum` by default. */
  readonly getProvider?: () => Eip1193Provider | undefined
}

/**
 * The wallet that puts itself into the page as `window.ethereum`. Wallets that announce themselves (EIP-6963) need no
 * connector of yours.
 *
 * @example
 * const client = createClient({ connectors: [createInjectedConnector({ timeout: 1000 })] })
 */
export function createInjectedConnector(options: InjectedOptions = {}): Connector {
  const { id = 'injected', name = 'Browser wallet', timeout = providerWait, getProvider } = options
  return createEip1193Connector({ id, kind: 'injected', name }, async ({ signal }) => {
    const { waitForEthereum } = await loadWalletLinks()
    const provider = await waitForEthereum(timeout, signal, getProvider)
    if (provider) return provider
    throw missingWallet(`No wallet was found in this browser within ${timeout} ms.`)
  })
}
