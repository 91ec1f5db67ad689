import type { Client, Connection, SyncStorage } from '../client/Client.ts'
import { openStorage } from '../platform/storage.ts'
import { adoptSession, type StoredSession, storeSession } from '../session/currentSession.ts'
import { moveSession } from '../session/transition.ts'

type Given = Pick<Connection, 'appId' | 'serverUrl' | 'javascriptKey' | 'installationId'>

/**
 * Makes a client ready without asking anybody, where its session is known beforehand: for one request of a server, and
 * for tests. `initialize` then has nothing left to do.
 */
export function connectClient(client: Client, given: Given, session: StoredSession | undefined): void {
  const { internal } = client
  const connection: Connection = { ...given, transport: 'storage', storage: openStorage(createMemory()) }
  internal.connection = connection
  internal.storage = connection.storage
  internal.initializing = Promise.resolve()
  if (session) {
    storeSession(connection, session)
    adoptSession(client, connection, session)
  } else moveSession(client, { type: 'signedOut' })
  internal.initialization.set({ status: 'ready', appId: connection.appId, serverUrl: connection.serverUrl })
}

function createMemory(): SyncStorage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}
