import type { Client } from '../Client.ts'
import type { Credential } from './CurrentSession.ts'
import { followStorage } from './followStorage.ts'
import { moveSession } from './moveSession.ts'
import { findStoredSession, removeStoredSession } from './storedSession.ts'

/** The server no longer knows this session (209). An answer that belongs to an older session ends nothing. */
export function endSession(client: Client, credential: Credential): void {
  const { connection, current } = client.internal
  if (!connection || current?.credential.id !== credential.id) return
  const stored = findStoredSession(connection)
  if (stored && stored.credential.id !== credential.id) {
    // Another tab has opened a new session already; its event is still on the way.
    void followStorage(client)
    return
  }
  client.internal.current = undefined
  removeStoredSession(connection, credential)
  moveSession(client, { type: 'sessionEnded' })
}
