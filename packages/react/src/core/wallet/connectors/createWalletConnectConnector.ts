import { ValidationError } from '../../errors/errors.ts'
import type { ConnectOptions, Connector, Eip1193Provider } from '../../state/Connector.ts'
import { createSdkLink } from './createSdkLink.ts'
import { loadPeer, startOnce, toRejection, waitFor } from './walletSdk.ts'

export type WalletConnectOptions = {
  /** The id of your project at WalletConnect. Its relay refuses pages without one. */
  readonly projectId: string
  /** The chains that the wallet is asked for, the favoured one first; `[1]` by default. */
  readonly chains?: readonly number[]
  /** Nodes to read from, by chain; WalletConnect's own by default. */
  readonly rpcUrls?: Readonly<Record<number, string>>
  /** The relay between page and wallet; WalletConnect's own by default. */
  readonly relayUrl?: string
  /** Application details shown by the wallet; title and address of the page by default. */
  readonly metadata?: { name: string; description: string; url: string; icons: string[] }
  /** Loads the SDK; `() => import('@walletconnect/ethereum-provider')` by default. */
  readonly load?: () => Promise<unknown>
}

/** Used part of the SDK's provider. */
type WalletConnectProvider = Required<Eip1193Provider> & {
  readonly session?: unknown
  readonly signer?: {
    cleanupPendingPairings?(options: { deletePairings: boolean }): Promise<void>
    readonly client?: Pick<Required<Eip1193Provider>, 'on' | 'removeListener'>
  }
  connect(options: { optionalChains: readonly number[] }): Promise<void>
  disconnect(): Promise<void>
}

type WalletConnectSdk = { init(options: Record<string, unknown>): Promise<WalletConnectProvider> }

/** How long the relay may take to pass on the disconnect. The connection ends here in any case. */
const disconnectTimeout = 2000

/**
 * WalletConnect (`walletconnect`, `wc`): a wallet on another device, which scans a QR code, or an app on the same phone.
 * The SDK, an optional peer, is loaded on the first click; nothing is sent to the relay before that.
 *
 * @example
 * import { createWalletConnectConnector } from '@countersign/react/walletconnect'
 *
 * const client = createClient({ connectors: [createWalletConnectConnector({ projectId: 'my-project' })] })
 */
export function createWalletConnectConnector(options: WalletConnectOptions): Connector {
  if (!options.projectId) {
    throw new ValidationError('WalletConnect requires projectId', 'Create one at https://dashboard.reown.com.')
  }
  const { chains = [1], load = () => import('@walletconnect/ethereum-provider') } = options

  const open = startOnce(async () => {
    const sdk = await loadPeer<WalletConnectSdk>('@walletconnect/ethereum-provider', 'EthereumProvider', load)
    return sdk.init({
      projectId: options.projectId,
      optionalChains: chains,
      rpcMap: options.rpcUrls,
      relayUrl: options.relayUrl,
      metadata: options.metadata ?? describePage(),
      // The sheet shows the QR code itself, and connections are not reported to others.
      showQrModal: false,
      telemetryEnabled: false,
    })
  })

  return {
    id: 'walletconnect',
    kind: 'walletconnect',
    namespace: 'eip155',
    name: 'WalletConnect',
    async connect(request) {
      const provider = await waitFor(open(), request.signal)
      // A connection from before whose end did not reach the wallet would be taken for the new one.
      if (provider.session) await end(provider)
      await pair(provider, chains, request)
      return createLink(provider)
    },
    async reconnect({ signal }) {
      const provider = await waitFor(open(), signal)
      return provider.session ? createLink(provider) : undefined
    },
  }
}

async function pair(
  provider: WalletConnectProvider,
  chains: readonly number[],
  { chainId, signal, onUri }: ConnectOptions,
): Promise<void> {
  const show = (uri: unknown) => {
    if (typeof uri === 'string') onUri?.(uri)
  }
  provider.on('display_uri', show)
  try {
    const optionalChains = chainId === undefined ? chains : [...new Set([chainId, ...chains])]
    const paired = provider.connect({ optionalChains })
    // A code that is scanned after all must not leave the page connected.
    const forget = () => {
      void provider.signer?.cleanupPendingPairings?.({ deletePairings: true })
      paired.then(() => end(provider)).catch(() => {})
    }
    await waitFor(paired, signal, forget)
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw toError(cause)
  } finally {
    provider.removeListener('display_uri', show)
  }
}

function createLink(provider: WalletConnectProvider) {
  return createSdkLink({
    provider,
    toError,
    watchEnd(end) {
      const client = provider.signer?.client
      client?.on('session_expire', end)
      return () => client?.removeListener('session_expire', end)
    },
    disconnect: () => end(provider),
  })
}

async function end(provider: WalletConnectProvider): Promise<void> {
  if (!provider.session) return
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, disconnectTimeout))
  await Promise.race([provider.disconnect().catch(() => {}), timeout])
}

// CAIP-25 and WalletConnect: 5000 to 5003 are refusals by the person.
const toError = (cause: unknown) => toRejection(cause, [5000, 5001, 5002, 5003], /reject|declin|denied/i)

function describePage() {
  const { origin = '', host = '' } = globalThis.location ?? {}
  return { name: globalThis.document?.title || host, description: '', url: origin, icons: [] }
}
