import { CountersignError } from '@countersign/protocol'
import type { ConnectOptions, Connector } from '../Connector.ts'
import { waitFor } from '../connectors/waitFor.ts'
import { createWagmiLink } from './createWagmiLink.ts'
import { findConnection } from './findConnection.ts'
import type { WagmiConfig, WagmiConnection } from './WagmiConfig.ts'

export type WagmiConnectorOptions = {
  /** Opens the application's own choice of wallets, such as RainbowKit's `openConnectModal`. */
  readonly open?: () => unknown
}

/**
 * Takes an existing wagmi config (version 2 or 3) as the wallet: what wagmi is connected to, signs. The application
 * keeps its own wallet button.
 *
 * @example
 * import { createWagmiConnector } from '@countersign/react/wagmi'
 *
 * const client = createClient({ connectors: [createWagmiConnector(wagmiConfig)] })
 * await authenticate(client, { connector: 'wagmi' })
 */
export function createWagmiConnector(config: WagmiConfig, { open }: WagmiConnectorOptions = {}): Connector {
  async function connect({ signal }: ConnectOptions) {
    const present = findConnection(config)
    if (present) return createWagmiLink(config, present)
    if (!open) {
      throw new CountersignError('OtherCause', 'No wallet is connected in wagmi.', {
        details: 'Connect one with your own wallet button first, or give createWagmiConnector(config, { open }).',
      })
    }
    const connected = waitUntil(config, () => findConnection(config), signal)
    await open()
    return createWagmiLink(config, await waitFor(connected, signal))
  }

  return {
    id: 'wagmi',
    kind: 'custom',
    namespace: 'eip155',
    name: 'Wallet',
    connect,
    async reconnect({ signal }) {
      const settled = waitUntil(config, () => !config.state.status.endsWith('connecting') || undefined, signal)
      await waitFor(settled, signal)
      const present = findConnection(config)
      return present && createWagmiLink(config, present)
    },
  }
}

function waitUntil<Value extends WagmiConnection | true>(
  config: WagmiConfig,
  find: () => Value | undefined,
  signal: AbortSignal | undefined,
): Promise<Value> {
  return new Promise((resolve) => {
    const found = find()
    if (found) return resolve(found)
    const stop = config.subscribe(
      (state) => state,
      () => {
        const later = find()
        if (!later) return
        stop()
        resolve(later)
      },
    )
    signal?.addEventListener('abort', stop, { once: true })
  })
}
