import { CountersignError } from '@countersign/protocol'
import { ValidationError } from '../../errors/errors.ts'
import type { Connector, Eip1193Provider } from '../../state/Connector.ts'
import { createSdkLink } from './createSdkLink.ts'
import { loadPeer, startOnce, toRejection, waitFor } from './walletSdk.ts'

export type Web3AuthOptions = {
  /** The id of your project at Web3Auth. */
  readonly clientId: string
  /** Web3Auth's network; `sapphire_mainnet` by default. */
  readonly network?: string
  /** Anything else that its constructor takes, such as `chains` or `uiConfig`. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Loads the SDK; `() => import('@web3auth/modal')` by default. */
  readonly load?: () => Promise<unknown>
}

/** Used part of the SDK. */
type Web3Auth = {
  readonly connected: boolean
  readonly provider: Eip1193Provider | null
  init(): Promise<void>
  connect(): Promise<unknown>
  logout(): Promise<void>
  on?(event: string, listener: (data?: unknown) => void): unknown
  removeListener?(event: string, listener: (data?: unknown) => void): unknown
}

type Web3AuthSdk = new (options: Record<string, unknown>) => Web3Auth

/**
 * Web3Auth (`web3Auth`): a wallet behind a social sign-in. Its SDK, an optional peer, is loaded on the first click.
 *
 * @example
 * import { createWeb3AuthConnector } from '@countersign/react/web3auth'
 *
 * const client = createClient({ connectors: [createWeb3AuthConnector({ clientId: 'my-project' })] })
 */
export function createWeb3AuthConnector(options: Web3AuthOptions): Connector {
  if (!options.clientId) {
    throw new ValidationError(
      '"clientId" not provided, please provide clientId',
      'Create one at https://dashboard.web3auth.io.',
    )
  }
  const { clientId, network = 'sapphire_mainnet', load = () => import('@web3auth/modal') } = options

  const open = startOnce(async () => {
    const Sdk = await loadPeer<Web3AuthSdk>('@web3auth/modal', 'Web3Auth', load)
    const web3Auth = new Sdk({ web3AuthNetwork: network, ...options.options, clientId })
    await web3Auth.init()
    return web3Auth
  })

  return {
    id: 'web3Auth',
    kind: 'web3Auth',
    namespace: 'eip155',
    name: 'Web3Auth',
    async connect({ signal }) {
      const web3Auth = await waitFor(open(), signal)
      if (!web3Auth.connected) await waitFor(web3Auth.connect().catch(throwError), signal)
      return createLink(web3Auth)
    },
    async reconnect({ signal }) {
      const web3Auth = await waitFor(open(), signal)
      return web3Auth.connected ? createLink(web3Auth) : undefined
    },
  }
}

function createLink(web3Auth: Web3Auth) {
  const { provider } = web3Auth
  if (!provider)
    throw new CountersignError('OtherCause', 'Failed to activate, no provider returned', {
      details: 'Web3Auth was closed too early, or its client id is not valid for this page.',
    })
  return createSdkLink({
    provider,
    toError,
    watchEnd(end) {
      web3Auth.on?.('disconnected', end)
      return () => web3Auth.removeListener?.('disconnected', end)
    },
    disconnect: () => web3Auth.logout(),
  })
}

function throwError(cause: unknown): never {
  throw toError(cause)
}

// 5114: the window was closed.
const toError = (cause: unknown) => toRejection(cause, [5114], /closed the modal|closed by user|cancel/i)
