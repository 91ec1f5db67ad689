import type { Client, Connection, Credential } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { findLocks, lockName } from '../platform/platform.ts'
import { createCredential, updateCurrent } from './currentSession.ts'

/** The server gave the session a new token, as after a new password: responses to the old one end nothing now. */
export function renewCredential(client: Client, connection: Connection, token: string | undefined): void {
  const credential = createCredential(connection, token ?? client.internal.current?.credential.token)
  if (credential) updateCurrent(client, { credential })
}

/**
 * Runs a request that may give the session a new token, with the use of its response. Until then the end of the former
 * token's session signs no tab out.
 */
export function renewing<Result>({ internal }: Client, task: () => Promise<Result>): Promise<Result> {
  const answer = findLocks()?.request(lockName, { mode: 'shared' }, task) ?? task()
  const renewal = Promise.allSettled([answer, internal.renewal]).then(() => {
    if (internal.renewal === renewal) internal.renewal = undefined
  })
  internal.renewal = renewal
  return answer
}

/** Takes a session's new token out of a response, so that nobody sees it, and uses it from then on. */
export function takeToken<Answer extends object>(
  client: Client,
  { id }: Credential,
  answer: Answer & { sessionToken?: string },
): Omit<Answer, 'sessionToken'> {
  const { sessionToken, ...rest } = answer
  const connection = requireConnection(client)
  // A new token in the cookie is not in the response.
  if (
    client.internal.current?.credential.id === id &&
    (sessionToken !== undefined || connection.transport === 'cookie')
  )
    renewCredential(client, connection, sessionToken)
  return rest
}
