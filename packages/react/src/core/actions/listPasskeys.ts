import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { Passkey } from '../Passkey.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { toDated } from '../wire/toDated.ts'

/**
 * The user's passkeys, the oldest first.
 *
 * @example
 * const names = (await listPasskeys(client))?.map((passkey) => passkey.name)
 */
export function listPasskeys(
  client: Client,
  callbacks: Callbacks<readonly Passkey[]> = {},
): Promise<readonly Passkey[] | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'listing passkeys')
    const { results } = await request(client, 'listPasskeys', {}, callbacks)
    return Object.freeze(results.map(toDated))
  })
}
