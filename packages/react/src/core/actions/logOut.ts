import { errorCodes } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import { request } from '../request.ts'
import { requireConnection } from '../requireConnection.ts'
import { runAction } from '../runAction.ts'
import { closeSession } from '../session/closeSession.ts'
import { moveSession } from '../session/moveSession.ts'

/**
 * Signs the user out, here and in the other tabs. If the server cannot be told, the user stays signed in and the state
 * is `error`; a session that the server no longer knows is as good as signed out.
 *
 * @example
 * await logOut(client)
 */
export function logOut(client: Client, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, () => {
    const connection = requireConnection(client)
    client.internal.prompt?.cancel()
    return client.internal.queue.run(async () => {
      const { current } = client.internal
      if (!current) return moveSession(client, { type: 'signedOut' })
      moveSession(client, { type: 'signOutStarted' })
      try {
        await request(client, 'logOut', {}, callbacks)
      } catch (cause) {
        const error = toCountersignError(cause)
        if (error.code !== errorCodes.InvalidSessionToken) {
          moveSession(client, { type: 'signOutFailed', error })
          throw error
        }
      }
      closeSession(client, connection, current)
    })
  })
}
