import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireString } from '../requireString.ts'
import { runAction } from '../runAction.ts'

export type RequestEmailVerificationInput = { email: string }

/**
 * Has the server send the mail that verifies an address once more.
 *
 * @example
 * await requestEmailVerification(client, { email: 'ada@example.org' })
 */
export function requestEmailVerification(
  client: Client,
  input: RequestEmailVerificationInput,
  callbacks: Callbacks = {},
): Promise<void> {
  return runAction(client, callbacks, async () => {
    const { email } = input
    requireString('email', email)
    await request(client, 'requestEmailVerification', { email }, callbacks)
  })
}
