import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { refreshWaysIn } from '../session/refreshWaysIn.ts'
import type { Wallet } from '../Wallet.ts'
import { toDated } from '../wire/toDated.ts'

export type UpdateWalletInput = {
  objectId: string
  /** What the user calls it; `null` takes the label away. */
  label?: string | null
  /** Makes it the first of its kind: the one in `ethAddress` or `solAddress`. */
  primary?: true
}

/**
 * Names a wallet, or makes it the primary one.
 *
 * @example
 * await updateWallet(client, { objectId: wallet.objectId, label: 'Savings', primary: true })
 */
export function updateWallet(
  client: Client,
  input: UpdateWalletInput,
  callbacks: Callbacks<Wallet> = {},
): Promise<Wallet | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'changing a wallet')
    const { objectId, label, primary } = input
    const wallet = await request(client, 'updateWallet', { objectId, label, primary }, callbacks)
    await refreshWaysIn(client, callbacks.signal)
    return toDated(wallet)
  })
}
