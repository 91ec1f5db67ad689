import type { Client } from '../Client.ts'
import { requireConnection } from '../requireConnection.ts'
import type { Credential } from './CurrentSession.ts'
import { renewCredential } from './renewCredential.ts'

/** Takes the token out of an answer that gave the session a new one, so that nobody sees it, and goes on with it. */
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
