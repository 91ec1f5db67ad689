import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { refreshWaysIn } from '../session/refreshWaysIn.ts'
import type { UndoWindow } from '../UndoWindow.ts'
import { toDated } from '../wire/toDated.ts'

export type MergeInput = { objectId: string }

/**
 * Carries out a merge that was previewed: the other account's ways in and fields come to this one.
 *
 * @example
 * const { undoUntil } = (await merge(client, { objectId: preview.objectId })) ?? {}
 */
export function merge(
  client: Client,
  input: MergeInput,
  callbacks: Callbacks<UndoWindow> = {},
): Promise<UndoWindow | undefined> {
  return runAction(client, callbacks, async () => {
    requireUser(client, 'merging accounts')
    const { objectId } = input
    const answer = await request(client, 'merge', { objectId }, callbacks)
    await refreshWaysIn(client, callbacks.signal)
    return toDated(answer)
  })
}
