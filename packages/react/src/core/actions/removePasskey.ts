import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { invalidatePasskeys } from '../passkey/invalidatePasskeys.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'

export type RemovePasskeyInput = { objectId: string }

/**
 * Takes a passkey from the user's account. The last way in stays; the server wants a proof of late for it (`stepUp`).
 *
 * @example
 * await removePasskey(client, { objectId: passkey.objectId })
 */
export function removePasskey(client: Client, input: RemovePasskeyInput, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'removing a passkey')
    const { objectId } = input
    await request(client, 'removePasskey', { objectId }, callbacks)
    invalidatePasskeys(client)
  })
}
