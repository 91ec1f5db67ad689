import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import type { WaysIn } from '../WaysIn.ts'
import { toDated } from '../wire/toDated.ts'

/**
 * Every way in that the user's account has: password, wallets, passkeys.
 *
 * @example
 * const hasPassword = (await listWaysIn(client))?.password
 */
export function listWaysIn(client: Client, callbacks: Callbacks<WaysIn> = {}): Promise<WaysIn | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'listing the ways in')
    return toDated(await request(client, 'listWaysIn', {}, callbacks))
  })
}
