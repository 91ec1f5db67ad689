import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { refreshWaysIn } from '../session/refreshWaysIn.ts'
import type { UndoWindow } from '../UndoWindow.ts'
import { toDated } from '../wire/toDated.ts'

export type UnlinkWalletInput = { objectId: string }

/**
 * Takes a wallet from the user's account. The last way in stays; until `undoUntil` the wallet can be brought back.
 *
 * @example
 * const { undoUntil } = (await unlinkWallet(client, { objectId: wallet.objectId })) ?? {}
 */
export function unlinkWallet(
  client: Client,
  input: UnlinkWalletInput,
  callbacks: Callbacks<UndoWindow> = {},
): Promise<UndoWindow | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'unlinking a wallet')
    const { objectId } = input
    const answer = await request(client, 'unlinkWallet', { objectId }, callbacks)
    await refreshWaysIn(client, callbacks.signal)
    return toDated(answer)
  })
}
