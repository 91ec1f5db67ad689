import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { missingUser } from '../missingUser.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { refreshRecord } from '../session/refreshRecord.ts'
import type { User } from '../User.ts'

/**
 * Reads the user from the server again, such as after its e-mail address was verified.
 *
 * @example
 * const user = await refetchUser(client)
 */
export function refetchUser(client: Client, callbacks: Callbacks<User> = {}): Promise<User | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'refetching')
    const user = await refreshRecord(client, callbacks.signal)
    if (!user) throw missingUser('refetch')
    return user
  })
}
