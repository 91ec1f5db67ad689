import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { refreshWaysIn } from '../session/refreshWaysIn.ts'
import type { Wallet } from '../Wallet.ts'
import { toDated } from '../wire/toDated.ts'

export type RestoreWalletInput = { objectId: string }

/**
 * Brings back a wallet that was unlinked, while that can still be undone.
 *
 * @example
 * await restoreWallet(client, { objectId: wallet.objectId })
 */
export function restoreWallet(
  client: Client,
  input: RestoreWalletInput,
  callbacks: Callbacks<Wallet> = {},
): Promise<Wallet | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'restoring a wallet')
    const { objectId } = input
    const wallet = await request(client, 'restoreWallet', { objectId }, callbacks)
    await refreshWaysIn(client, callbacks.signal)
    return toDated(wallet)
  })
}
