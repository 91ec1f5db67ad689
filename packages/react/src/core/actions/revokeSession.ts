import { errorCodes } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
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
    const { objectId } = input
    try {
      await request(client, 'revokeSession', { objectId }, callbacks)
    } catch (cause) {
      const error = toCountersignError(cause)
      if (error.code !== errorCodes.InvalidSessionToken) throw error
      // Either the named session is gone already, which is what was wanted, or this one is, and then this throws.
      await request(client, 'getCurrentUser', {}, callbacks)
    } finally {
      client.internal.readings.get('listSessions')?.invalidate()
    }
  })
}
