import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireConnection } from '../requireConnection.ts'
import { requireString } from '../requireString.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { renewCredential } from '../session/renewCredential.ts'

export type ChangePasswordInput = {
  /** An account that came by wallet or passkey has none yet; its first one needs a recent proof instead (`stepUp`). */
  currentPassword?: string
  newPassword: string
}

/**
 * Sets a new password, for which the server asks the present one. Every other session of the user ends.
 *
 * @example
 * await changePassword(client, { currentPassword: 'correct horse', newPassword: 'battery staple' })
 */
export function changePassword(client: Client, input: ChangePasswordInput, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, () => {
    const { currentPassword, newPassword } = input
    requireUser(client, 'changing the password')
    if (currentPassword !== undefined) requireString('currentPassword', currentPassword)
    requireString('newPassword', newPassword)
    return client.internal.queue.run(async () => {
      const { record } = requireUser(client, 'changing the password')
      const answer = await request(client, 'changePassword', { currentPassword, newPassword }, callbacks)
      if (client.internal.current?.record.objectId !== record.objectId) return
      renewCredential(client, requireConnection(client), answer.sessionToken)
      // The first password of an account is another way in.
      for (const name of ['listSessions', 'listWaysIn'] as const) client.internal.readings.get(name)?.invalidate()
    })
  })
}
