import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { runAction } from '../runAction.ts'
import type { Ref } from './Document.ts'
import type { BatchOptions } from './saveAll.ts'
import { type Outcome, sendBatch } from './sendBatch.ts'
import { settleSave } from './settleSave.ts'

/**
 * Deletes many objects, 20 a request. Each has an outcome of its own, in the order given.
 *
 * @example
 * await destroyAll(client, games, { transaction: true })
 */
export function destroyAll(
  client: Client,
  objects: readonly Ref[],
  { transaction }: BatchOptions = {},
  callbacks: Callbacks<readonly Outcome<undefined>[]> = {},
): Promise<readonly Outcome<undefined>[] | undefined> {
  return runAction(client, callbacks, async () => {
    const items = objects.map(({ className, objectId }) => ({
      method: 'DELETE' as const,
      path: ['classes', className, objectId],
    }))
    const outcomes = await sendBatch(client, items, { transaction, signal: callbacks.signal }).finally(() =>
      settleSave(client, objects),
    )
    return Object.freeze(
      outcomes.map((outcome) => (outcome.status === 'error' ? outcome : { ...outcome, data: undefined })),
    )
  })
}
