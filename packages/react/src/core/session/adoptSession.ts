import type { Client } from '../Client.ts'
import type { Connection } from '../Connection.ts'
import type { User } from '../User.ts'
import { moveSession } from './moveSession.ts'
import { showUser } from './showUser.ts'
import { replaceStoredSession, type StoredSession } from './storedSession.ts'

/** Makes a session that is in storage already the current one, with the user as the server has it now. */
export function adoptSession(
  client: Client,
  connection: Connection,
  { credential, user: record }: StoredSession,
): User {
  const current = showUser(client.internal.current ?? client.internal.rendered, { credential, record, edits: [] })
  client.internal.current = current
  replaceStoredSession(connection, credential, { credential, user: record })
  moveSession(client, { type: 'signedIn', user: current.user })
  return current.user
}
