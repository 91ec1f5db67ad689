import type { Client, Connection, Credential } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { createCredential, updateCurrent } from './currentSession.ts'

/** The server gave the session a new token, as after a new password: responses to the old one end nothing now. */
export function renewCredential(client: Client, connection: Connection, token: string | undefined): void {
  const credential = createCredential(connection, token ?? client.internal.current?.credential.token)
  if (credential) updateCurrent(client, { credential })
}

/** Takes a session's new token out of a response, so that nobody sees it, and uses it from then on. */
export function takeToken<Answer extends object>(
  client: Client,
  { id }: Credential,
  answer: Answer & { sessionToken?: string },
): Omit<Answer, 'sessionToken'> {
  const { sessionToken, ...rest } = answer
  if (sessionToken !== undefined && client.internal.current?.credential.id === id) {
    renewCredential(client, requireConnection(client), sessionToken)
  }
  return rest
}
