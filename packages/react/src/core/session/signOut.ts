import { errorCodes } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import { toCountersignError } from '../errors/errors.ts'
import { closeSession } from './currentSession.ts'
import { request } from './request.ts'
import { moveSession } from './transition.ts'

/**
 * Signs the user out, here and in the other tabs. If the server cannot be reached, the user stays signed in and the state
 * is `error`; a session that the server no longer knows is as good as signed out.
 *
 * @example
 * await signOut(client)
 */
export function signOut<
  Given extends Callbacks<void, ActionError<'signOut'>> = Callbacks<void, ActionError<'signOut'>>,
>(client: Client, callbacks: Given = {} as Given): Promise<Result<void, Given>> {
  return runOperation(client, callbacks, () => {
    const connection = requireConnection(client)
    client.internal.prompt?.cancel()
    return client.internal.queue.run(async () => {
      const { current } = client.internal
      if (!current) return moveSession(client, { type: 'signedOut' })
      const settle = await client.internal.offline?.leave()
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
      await settle?.()
    })
  })
}
