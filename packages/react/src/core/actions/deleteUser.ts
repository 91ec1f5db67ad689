import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireConnection } from '../requireConnection.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { closeSession } from '../session/closeSession.ts'

/**
 * Deletes the user's account for good and signs out.
 *
 * @example
 * await deleteUser(client)
 */
export function deleteUser(client: Client, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, () => {
    const { objectId } = requireUser(client, 'deleting the account').record
    return client.internal.queue.run(async () => {
      await request(client, 'deleteUser', { objectId }, callbacks)
      const { current } = client.internal
      if (current?.record.objectId === objectId) closeSession(client, requireConnection(client), current)
    })
  })
}
