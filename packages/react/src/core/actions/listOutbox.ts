import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { Mail } from '../Mail.ts'
import { request } from '../request.ts'
import { runAction } from '../runAction.ts'
import { toSnapshot } from '../wire/toSnapshot.ts'

/**
 * The mails that the server kept because it has no SMTP server, for developers to read.
 *
 * @example
 * const link = (await listOutbox(client))?.[0]?.link
 */
export function listOutbox(
  client: Client,
  callbacks: Callbacks<readonly Mail[]> = {},
): Promise<readonly Mail[] | undefined> {
  return runAction(client, callbacks, async () => {
    const { results } = await request(client, 'listOutbox', {}, callbacks)
    return Object.freeze(results.map((mail) => toSnapshot<Mail>(mail)))
  })
}
