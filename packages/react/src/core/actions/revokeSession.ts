import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { getSessionsQuery } from '../queries/getSessionsQuery.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'

export type RevokeSessionInput = { objectId: string }

/**
 * Ends one of the user's sessions, at once and everywhere.
 *
 * @example
 * await revokeSession(client, { objectId: session.objectId })
 */
export function revokeSession(client: Client, input: RevokeSessionInput, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'revoking a session')
    try {
      await request(client, 'revokeSession', { objectId: input.objectId }, callbacks)
    } finally {
      // After a failure too: the list that was shown may be the reason for it.
      getSessionsQuery(client).invalidate()
    }
  })
}
