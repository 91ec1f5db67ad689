import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import type { Wallet } from '../Wallet.ts'
import { toDated } from '../wire/toDated.ts'

/**
 * The user's wallets, each of them proven.
 *
 * @example
 * const primary = (await listWallets(client))?.find((wallet) => wallet.primary)
 */
export function listWallets(
  client: Client,
  callbacks: Callbacks<readonly Wallet[]> = {},
): Promise<readonly Wallet[] | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'listing wallets')
    const { results } = await request(client, 'listWallets', {}, callbacks)
    return Object.freeze(results.map(toDated))
  })
}
