import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireString } from '../requireString.ts'
import { runAction } from '../runAction.ts'

export type RequestPasswordResetInput = { email: string }

/**
 * Has the server send a mail with a link to set a new password. It does not tell whether the address has an account.
 *
 * @example
 * await requestPasswordReset(client, { email: 'ada@example.org' })
 */
export function requestPasswordReset(
  client: Client,
  input: RequestPasswordResetInput,
  callbacks: Callbacks = {},
): Promise<void> {
  return runAction(client, callbacks, async () => {
    const { email } = input
    requireString('email', email)
    await request(client, 'requestPasswordReset', { email }, callbacks)
  })
}
