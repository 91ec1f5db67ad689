import { type ReactNode, useEffect, useInsertionEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { initialize } from '../core/actions/initialize.ts'
import type { Client } from '../core/Client.ts'
import { createClient } from '../core/createClient.ts'
import type { InitializationState } from '../core/InitializationState.ts'
import type { SessionState } from '../core/SessionState.ts'
import type { Store } from '../core/Store.ts'
import type { Connector } from '../core/wallet/Connector.ts'
import type { WalletState } from '../core/wallet/WalletState.ts'
import { ClientContext } from '../hooks/ClientContext.ts'
import { createMoralis, idle } from './createMoralis.ts'
import type { Loose } from './Loose.ts'
import { MoralisContext, type MoralisContextValue } from './MoralisContext.ts'
import { readAuthentication } from './readAuthentication.ts'
import type { Web3Library } from './web3/createWeb3Reader.ts'

type CommonProps = {
  children?: ReactNode
  jsKey?: string
  /** Never sent: a page that holds the master key gives it to everyone. */
  dangerouslyUseOfMasterKey?: string
  /** Plugins are functions of the server; there is nothing to declare. */
  plugins?: { name: string; functions: string[] }[]
  options?: { onAccountChanged?: (account: string) => void }
  environment?: 'browser' | 'native'
  /** Not called: the SDK is part of this package. */
  getMoralis?: () => Loose
  /** New: wallets beside those that the browser has, such as `createWalletConnectConnector({ projectId })`. */
  connectors?: readonly Connector[]
  /** New: `ethers` (5), if `web3` is to be its own Web3Provider. */
  web3Library?: Web3Library
  /** New: a client of your own making; `appId`, `serverUrl`, `jsKey` and `connectors` are then its own. */
  client?: Client
}

export type MoralisProviderProps = CommonProps &
  (
    | { appId: string; serverUrl: string; initializeOnMount?: true }
    | { appId?: string | null; serverUrl?: string | null; initializeOnMount: false }
  )

const notYet: InitializationState = { status: 'idle' }
const unknown: SessionState = { status: 'undefined' }
const unseen: WalletState = { status: 'reconnecting' }

/**
 * Supplies the older names, and the hooks of `@countersign/react` too, to everything inside it.
 *
 * @example
 * <MoralisProvider appId="my-app" serverUrl="https://example.org/server">
 *   <App />
 * </MoralisProvider>
 */
export function MoralisProvider(props: MoralisProviderProps) {
  const { appId, serverUrl, initializeOnMount = true, environment = 'browser', options, children } = props
  const [{ client, Moralis, actions, progress, readWeb3 }] = useState(() =>
    createMoralis(open(props), props.web3Library),
  )
  const initialization = useStore(client.initialization, notYet)
  const session = useStore(client.session, unknown)
  const wallet = useStore(client.wallet, unseen)
  const local = useStore(progress, idle)

  useEffect(() => {
    const known = { appId: appId ?? undefined, serverUrl: serverUrl ?? undefined }
    // No one could catch what is thrown here; the state shows it.
    if (initializeOnMount) void initialize(client, known, { throwOnError: false })
  }, [client, initializeOnMount, appId, serverUrl])

  const onAccountChanged = useRef(options?.onAccountChanged)
  useInsertionEffect(() => {
    onAccountChanged.current = options?.onAccountChanged
  })
  useEffect(() => Moralis.onAccountChanged((account) => onAccountChanged.current?.(account ?? undefined)), [Moralis])

  const value = useMemo((): MoralisContextValue => {
    const { isLoggingOut, ...rest } = local
    const ready = initialization.status === 'ready' ? initialization : undefined
    return {
      Moralis,
      environment,
      appId: ready?.appId ?? appId ?? null,
      serverUrl: ready?.serverUrl ?? serverUrl ?? null,
      isInitialized: initialization.status === 'ready',
      isInitializing: initialization.status === 'initializing',
      ...actions,
      ...readAuthentication(initialization, session, isLoggingOut),
      user: 'user' in session && session.user ? Moralis.User.current() : null,
      ...rest,
      ...readWeb3(wallet),
    }
  }, [Moralis, actions, readWeb3, environment, appId, serverUrl, initialization, session, wallet, local])

  return (
    <ClientContext.Provider value={client}>
      <MoralisContext.Provider value={value}>{children}</MoralisContext.Provider>
    </ClientContext.Provider>
  )
}

function useStore<Value>({ subscribe, get }: Store<Value>, onServer: Value): Value {
  return useSyncExternalStore(subscribe, get, () => onServer)
}

function open({ client, appId, serverUrl, jsKey, connectors }: MoralisProviderProps): Client {
  if (client) return client
  return createClient({
    ...(appId && { appId }),
    ...(serverUrl && { serverUrl }),
    ...(jsKey && { javascriptKey: jsKey }),
    ...(connectors && { connectors }),
  })
}
