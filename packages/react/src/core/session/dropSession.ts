import type { Client } from '../Client.ts'
import type { Connection } from '../Connection.ts'
import { sendRequest } from '../sendRequest.ts'
import type { Credential } from './CurrentSession.ts'
import { findStoredSession } from './storedSession.ts'

/** Tells the server, if it can be reached, that a session which was given up here is over. Waits for nothing. */
export function dropSession(client: Client, connection: Connection, credential: Credential): void {
  const { queue, options } = client.internal
  // In the queue: where the session is in a cookie, a sign-in that overtook this would be signed out by it.
  void queue.run(async () => {
    if (connection.transport === 'cookie' && findStoredSession(connection)) return
    await sendRequest(options, connection, 'logOut', {}, { credential, attemptLimit: 1 }).catch(() => undefined)
  })
}
