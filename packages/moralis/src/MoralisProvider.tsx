import { ClientContext } from '@countersign/react/adapter'
import {
  type Client,
  type Connector,
  createClient,
  type InitializationState,
  initialize,
  type SessionState,
  type Store,
  type WalletState,
} from '@countersign/react/core'
import { type ReactNode, useEffect, useInsertionEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { createMoralis, idle } from './createMoralis.ts'
import { toMoralisError } from './errors.ts'
import type { Loose } from './Loose.ts'
import { type Authentication, MoralisContext, type MoralisContextValue } from './MoralisContext.ts'
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
    // A throw here could not be caught; the state shows the error.
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
      user: session.status !== 'undefined' && session.user ? Moralis.User.current() : null,
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

type Flags = Pick<
  MoralisContextValue,
  | 'auth'
  | 'authError'
  | 'isAuthenticated'
  | 'isUnauthenticated'
  | 'isAuthenticating'
  | 'isAuthUndefined'
  | 'isLoggingOut'
  | 'hasAuthError'
>

/** The session in the form of the older context. A failed initialization is its error, since nothing can go on. */
function readAuthentication(initialization: InitializationState, session: SessionState, isLoggingOut: boolean): Flags {
  const auth = read(initialization, session)
  return {
    auth,
    authError: auth.error,
    isAuthenticated: auth.state === 'authenticated',
    isUnauthenticated: auth.state === 'unauthenticated',
    isAuthenticating: auth.state === 'authenticating',
    isAuthUndefined: auth.state === 'undefined',
    isLoggingOut: isLoggingOut && auth.state === 'authenticating',
    hasAuthError: auth.state === 'error',
  }
}

function read(initialization: InitializationState, session: SessionState): Authentication {
  if (session.status === 'error') return { state: 'error', error: toMoralisError(session.error) }
  if (session.status === 'undefined' && initialization.status === 'error') {
    return { state: 'error', error: toMoralisError(initialization.error) }
  }
  return { state: session.status, error: null }
}
