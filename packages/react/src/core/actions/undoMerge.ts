import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { refreshWaysIn } from '../session/refreshWaysIn.ts'

export type UndoMergeInput = { objectId: string }

/**
 * Takes a merge back, while that can still be done: the other account is as it was.
 *
 * @example
 * await undoMerge(client, { objectId: preview.objectId })
 */
export function undoMerge(client: Client, input: UndoMergeInput, callbacks: Callbacks = {}): Promise<void> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'undoing a merge')
    const { objectId } = input
    await request(client, 'undoMerge', { objectId }, callbacks)
    await refreshWaysIn(client, callbacks.signal)
  })
}
