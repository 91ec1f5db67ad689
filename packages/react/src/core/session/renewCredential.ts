import type { Client } from '../Client.ts'
import type { Connection } from '../Connection.ts'
import { createCredential } from './createCredential.ts'
import { updateCurrent } from './updateCurrent.ts'

/** The server gave the session a new token, as after a new password: answers to the old one end nothing now. */
export function renewCredential(client: Client, connection: Connection, token: string | undefined): void {
  const credential = createCredential(connection, token ?? client.internal.current?.credential.token)
  if (credential) updateCurrent(client, { credential })
}
