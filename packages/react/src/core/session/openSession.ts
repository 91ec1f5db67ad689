import type { Client } from '../Client.ts'
import type { Connection } from '../Connection.ts'
import type { User } from '../User.ts'
import type { UserFields } from '../wire/readRecord.ts'
import type { Credential } from './CurrentSession.ts'
import { moveSession } from './moveSession.ts'
import { showUser } from './showUser.ts'
import { storeSession } from './storedSession.ts'

/** Makes a session that was just opened the current one, here and for the other tabs. */
export function openSession(client: Client, connection: Connection, credential: Credential, record: UserFields): User {
  const current = showUser(client.internal.current, { credential, record, edits: [] })
  client.internal.current = current
  storeSession(connection, { credential, user: record })
  moveSession(client, { type: 'signedIn', user: current.user })
  return current.user
}
