import type { Client, ClientOptions } from './Client.ts'
import { createQueue } from './createQueue.ts'
import { createStore } from './createStore.ts'
import type { InitializationState } from './InitializationState.ts'
import type { SessionState } from './SessionState.ts'

/**
 * Makes a client. Nothing is read or sent before `initialize`.
 *
 * @example
 * import { createClient, initialize, logIn } from '@countersign/react/core'
 *
 * const client = createClient({ appId: 'my-app', serverUrl: 'http://localhost:1337/server' })
 * await initialize(client)
 * await logIn(client, { username: 'ada', password: 'correct horse' })
 */
export function createClient(options: ClientOptions = {}): Client {
  const session = createStore<SessionState>({ status: 'undefined' })
  const initialization = createStore<InitializationState>({ status: 'idle' })
  return {
    session: { get: session.get, subscribe: session.subscribe },
    initialization: { get: initialization.get, subscribe: initialization.subscribe },
    internal: { options: { ...options }, session, initialization, queue: createQueue(), readings: new Map() },
  }
}
