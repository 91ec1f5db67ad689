import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireString } from '../requireString.ts'
import { runAction } from '../runAction.ts'

export type ResetPasswordInput = { token: string; password: string }

/**
 * Sets a new password with the token of the mailed link.
 *
 * @example
 * await resetPassword(client, { token: 'from-the-link', password: 'battery staple' })
 */
export function resetPassword(client: Client, input: ResetPasswordInput, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, async () => {
    const { token, password } = input
    requireString('token', token)
    requireString('password', password)
    await request(client, 'resetPassword', { token, password }, callbacks)
  })
}
