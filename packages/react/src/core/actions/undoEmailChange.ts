import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireString } from '../requireString.ts'
import { runAction } from '../runAction.ts'

export type UndoEmailChangeInput = { token: string }

/**
 * Brings a changed or removed e-mail address back with the token of the link that was mailed to it. Every session ends
 * and the password is removed; the answer is the token for a new one (`resetPassword`).
 *
 * @example
 * const token = await undoEmailChange(client, { token: 'from-the-link' })
 */
export function undoEmailChange(
  client: Client,
  input: UndoEmailChangeInput,
  callbacks: Callbacks<string> = {},
): Promise<string | undefined> {
  return runAction(client, callbacks, async () => {
    const { token } = input
    requireString('token', token)
    const { resetToken } = await request(client, 'undoEmailChange', { token }, callbacks)
    return resetToken
  })
}
