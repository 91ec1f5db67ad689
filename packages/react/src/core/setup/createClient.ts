import type {
  Client,
  ClientOptions,
  CurrentSession,
  DocumentEdit,
  InitializationState,
  InitialSession,
} from '../client/Client.ts'
import { readerOf } from '../readings/readerOf.ts'
import { showUser } from '../session/currentSession.ts'
import type { Connector } from '../state/Connector.ts'
import { createQueue } from '../state/createQueue.ts'
import { createStore, type Store } from '../state/createStore.ts'
import type { LiveState } from '../state/LiveWire.ts'
import type { SessionState } from '../state/SessionState.ts'
import type { AccountMismatch, WalletState } from '../state/WalletState.ts'
import { readRecord } from '../values/decode.ts'
import { startWallet } from '../wallet/startWallet.ts'

/**
 * Makes a client. Nothing is read or sent before `initialize` or a look at its wallet. Without an application id it
 * serves the wallet alone.
 *
 * @example
 * import { createClient, initialize, signInWithPassword } from '@countersign/react/core'
 *
 * const client = createClient({ appId: 'my-app', serverUrl: 'http://localhost:1337/server' })
 * await initialize(client)
 * await signInWithPassword(client, { username: 'ada', password: 'correct horse' })
 */
export function createClient(options: ClientOptions = {}): Client {
  const { state: initialSession, rendered } = readInitialSession(options.initialSession)
  const session = createStore(initialSession)
  const initialization = createStore<InitializationState>({ status: 'idle' })
  const wallet = createStore<WalletState>({ status: 'reconnecting' })
  const connectors = createStore<readonly Connector[]>(options.connectors ?? [])
  const mismatch = createStore<AccountMismatch | undefined>(undefined)
  const client: Client = {
    session: readOnly(session),
    initialization: readOnly(initialization),
    wallet: whenWatched(wallet, () => void startWallet(client)),
    connectors: whenWatched(connectors, () => void startWallet(client)),
    mismatch: readOnly(mismatch),
    internal: {
      options: { ...options },
      session,
      initialSession,
      ...(rendered && { rendered }),
      initialization,
      wallet,
      walletParts: {},
      connectors,
      mismatch,
      queue: createQueue(),
      challenges: createQueue(),
      wroteAt: performance.now(),
      reader: () => readerOf(client),
      readings: new Map(),
      classListeners: new Set(),
      edits: createStore<readonly DocumentEdit[]>([]),
      writes: new Map(),
      savedAt: new Map(),
      madeIds: new Map(),
      providerIds: new WeakMap(),
      providerCount: 0,
      liveState: createStore<LiveState>({ status: 'idle', attempts: 0, subscriptions: 0 }),
    },
  }
  options.offline?.(client)
  return client
}

function readOnly<Value>({ get, subscribe }: Store<Value>): Store<Value> {
  return { get, subscribe }
}

function whenWatched<Value>({ get, subscribe }: Store<Value>, start: () => void): Store<Value> {
  return {
    get,
    subscribe(listener) {
      const stop = subscribe(listener)
      start()
      return stop
    },
  }
}

/** Initial state of a page: the rendered one, if any. */
function readInitialSession(initial: InitialSession | undefined): {
  readonly state: SessionState
  /** The user of the rendered page; its session has no name in this browser yet. */
  readonly rendered?: CurrentSession
} {
  if (initial?.status === 'unauthenticated') return { state: { status: 'unauthenticated' } }
  const record = initial?.status === 'authenticated' && readRecord(initial.user)
  if (!record) return { state: { status: 'undefined' } }
  const rendered = showUser(undefined, { credential: { id: '' }, record, edits: [] })
  return { state: { status: 'authenticated', user: rendered.user }, rendered }
}
