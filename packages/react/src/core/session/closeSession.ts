import type { Client } from '../Client.ts'
import type { Connection } from '../Connection.ts'
import type { CurrentSession } from './CurrentSession.ts'
import { moveSession } from './moveSession.ts'
import { removeStoredSession } from './storedSession.ts'

/** The session is over on the server: forgets it here and in the other tabs. */
export function closeSession(client: Client, connection: Connection, { credential }: CurrentSession): void {
  client.internal.current = undefined
  removeStoredSession(connection, credential)
  moveSession(client, { type: 'signedOut' })
}
