import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireString } from '../requireString.ts'
import { runAction } from '../runAction.ts'
import { refreshRecord } from '../session/refreshRecord.ts'

export type VerifyEmailInput = { token: string }

/**
 * Verifies an e-mail address with the token of the mailed link. A user who is signed in is read again.
 *
 * @example
 * await verifyEmail(client, { token: 'from-the-link' })
 */
export function verifyEmail(client: Client, input: VerifyEmailInput, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, async () => {
    const { token } = input
    requireString('token', token)
    await request(client, 'verifyEmail', { token }, callbacks)
    if (client.internal.current) await refreshRecord(client, callbacks.signal).catch(() => undefined)
  })
}
