import { startWallet } from './actions/startWallet.ts'
import type { Client, ClientOptions } from './Client.ts'
import { createQueue } from './createQueue.ts'
import { createStore } from './createStore.ts'
import type { InitializationState } from './InitializationState.ts'
import type { Store } from './Store.ts'
import { readInitialSession } from './session/readInitialSession.ts'
import type { AccountMismatch } from './wallet/AccountMismatch.ts'
import type { Connector } from './wallet/Connector.ts'
import type { WalletState } from './wallet/WalletState.ts'

/**
 * Makes a client. Nothing is read or sent before `initialize` or a look at its wallet. Without an application id it
 * serves the wallet alone.
 *
 * @example
 * import { createClient, initialize, logIn } from '@countersign/react/core'
 *
 * const client = createClient({ appId: 'my-app', serverUrl: 'http://localhost:1337/server' })
 * await initialize(client)
 * await logIn(client, { username: 'ada', password: 'correct horse' })
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
      readings: new Map(),
    },
  }
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
