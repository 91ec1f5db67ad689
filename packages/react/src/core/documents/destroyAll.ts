import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { loadWriting } from '../loadWriting.ts'
import { runAction } from '../runAction.ts'
import type { Ref } from './Document.ts'
import type { BatchOptions } from './saveAll.ts'
import type { Outcome } from './sendBatch.ts'

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
    const named = objects.map(({ className, objectId }) => ({ className, objectId }))
    const { destroyMany } = await loadWriting()
    return destroyMany(client, named, { transaction, signal: callbacks.signal })
  })
}
