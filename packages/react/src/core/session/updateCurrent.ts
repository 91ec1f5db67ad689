import type { Client } from '../Client.ts'
import type { CurrentSession } from './CurrentSession.ts'
import { moveSession } from './moveSession.ts'
import { showUser } from './showUser.ts'
import { replaceStoredSession } from './storedSession.ts'

/** Changes parts of the current session and shows the outcome; storage changes when the server's part did. */
export function updateCurrent(
  client: Client,
  changes: Partial<Pick<CurrentSession, 'credential' | 'record' | 'edits'>>,
): void {
  const { current, connection } = client.internal
  if (!current || !connection) return
  const { credential, record, edits } = { ...current, ...changes }
  const next = showUser(current, { credential, record, edits })
  client.internal.current = next
  if (changes.record || changes.credential) {
    replaceStoredSession(connection, current.credential, { credential, user: record })
  }
  moveSession(client, { type: 'userChanged', user: next.user })
}
