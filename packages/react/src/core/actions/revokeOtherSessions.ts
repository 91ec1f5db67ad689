import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'

/**
 * Ends all sessions of the user but this one; answers how many.
 *
 * @example
 * const count = await revokeOtherSessions(client)
 */
export function revokeOtherSessions(client: Client, callbacks: Callbacks<number> = {}): Promise<number | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'revoking sessions')
    const { revoked } = await request(client, 'revokeOtherSessions', {}, callbacks)
    client.internal.readings.get('listSessions')?.invalidate()
    return revoked
  })
}
