import { CountersignError } from '@countersign/protocol'
import type { Client } from '../../client/Client.ts'
import type {
  ConnectOptions,
  Connector,
  Eip1193Provider,
  Signer,
  WalletConnection,
  WalletEvent,
} from '../../state/Connector.ts'
import { adoptLink } from '../connection/openWallet.ts'
import { createEip1193Signer } from './createEip1193Signer.ts'
import { waitFor } from './walletSdk.ts'

/** Used part of a wagmi config, the same in versions 2 and 3. The real one fits; wagmi itself is not imported. */
export type WagmiConfig = {
  readonly state: WagmiState
  subscribe(selector: (state: WagmiState) => unknown, listener: () => void): () => void
}

export type WagmiState = {
  readonly status: 'connected' | 'connecting' | 'disconnected' | 'reconnecting'
  readonly current: string | null
  readonly connections: ReadonlyMap<string, WagmiConnection>
}

export type WagmiConnection = {
  readonly accounts: readonly string[]
  readonly chainId: number
  readonly connector: {
    readonly uid: string
    getProvider(): Promise<unknown>
    disconnect(): Promise<void>
    readonly emitter: { emit(event: 'disconnect'): void }
  }
}

/** The connection in use. While wagmi reconnects it only remembers one, which cannot be used yet. */
export function findConnection({ state }: WagmiConfig): WagmiConnection | undefined {
  if (state.status !== 'connected' || state.current === null) return undefined
  return state.connections.get(state.current)
}

export type WagmiConnectorOptions = {
  /** Opens the application's own choice of wallets, such as RainbowKit's `openConnectModal`. */
  readonly open?: () => unknown
}

/**
 * Uses an existing wagmi config (version 2 or 3) as the wallet: wagmi's connected wallet signs. The application keeps
 * its own wallet button.
 *
 * @example
 * import { createWagmiConnector } from '@countersign/react/wagmi'
 *
 * const client = createClient({ connectors: [createWagmiConnector(wagmiConfig)] })
 * await signInWithWallet(client, { connector: 'wagmi' })
 */
export function createWagmiConnector(config: WagmiConfig, { open }: WagmiConnectorOptions = {}): Connector {
  async function connect({ signal }: ConnectOptions) {
    const present = findConnection(config)
    if (present) return createWagmiLink(config, present)
    if (!open) {
      throw new CountersignError('OtherCause', 'No wallet is connected in wagmi.', {
        details: 'Connect one with your own wallet button first, or pass createWagmiConnector(config, { open }).',
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

/** The connection that wagmi has, as one of ours. When wagmi goes over to another wallet, this one ends. */
async function createWagmiLink(config: WagmiConfig, connection: WagmiConnection): Promise<WalletConnection> {
  const { connector } = connection
  const provider = (await connector.getProvider()) as Eip1193Provider
  const find = () => {
    const present = findConnection(config)
    return present?.connector.uid === connector.uid ? present : undefined
  }
  const signer: Signer = {
    namespace: 'eip155',
    // As wagmi has it: pages show that account, whichever the wallet would name first.
    async getAccount() {
      const present = find()
      const address = present?.accounts[0]
      return present && address !== undefined ? { address, chainId: present.chainId } : undefined
    },
    signMessage: createEip1193Signer(provider).signMessage,
  }
  return {
    accounts: connection.accounts,
    chainId: connection.chainId,
    provider,
    signer,
    watch: (listener) => watch(config, connection, find, listener),
    async disconnect() {
      await connector.disconnect()
      // wagmi updates its state only on this event; its own disconnect does the same.
      if (find()) connector.emitter.emit('disconnect')
    },
  }
}

function watch(
  config: WagmiConfig,
  start: WagmiConnection,
  find: () => WagmiConnection | undefined,
  listener: (event: WalletEvent) => void,
): () => void {
  let last: WagmiConnection | undefined = start
  return config.subscribe(
    (state) => state,
    () => {
      const previous = last
      if (!previous) return
      last = find()
      if (!last) return listener({ type: 'disconnected' })
      const { accounts, chainId } = last
      if (chainId !== previous.chainId) listener({ type: 'chainChanged', chainId })
      if (String(accounts) !== String(previous.accounts)) listener({ type: 'accountsChanged', accounts })
    },
  )
}

/**
 * Keeps the client's wallet equal to wagmi's: it follows when the application's own wallet button connects, changes or
 * disconnects it, without a prompt. Returns its own unsubscribe.
 *
 * @example
 * import { watchWagmi } from '@countersign/react/wagmi'
 *
 * const client = createClient({ appId: 'my-app', serverUrl: 'http://localhost:1337/server' })
 * const stop = watchWagmi(client, wagmiConfig)
 * await signInWithWallet(client) // signs with the wallet that wagmi is connected to
 */
export function watchWagmi(client: Client, config: WagmiConfig): () => void {
  const given = client.internal.options.connectors?.find(({ id }) => id === 'wagmi')
  const connector = given ?? createWagmiConnector(config)
  let followed: string | undefined

  async function follow(): Promise<void> {
    const present = findConnection(config)
    const uid = present?.connector.uid
    if (uid === followed) return
    followed = uid
    if (!present) return
    const link = await createWagmiLink(config, present)
    // It may be another by now, which is then followed; and a click may have connected it in between.
    if (followed !== uid || client.internal.walletParts.attempt?.silent === false) return
    client.internal.reconnecting?.abort()
    adoptLink(client, connector, link)
  }

  const run = () => void follow().catch(() => undefined)
  const stop = config.subscribe((state) => state, run)
  run()
  return () => {
    followed = ''
    stop()
  }
}
