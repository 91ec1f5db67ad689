import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import type { Ref } from '../values/Document.ts'
import { loadWriting } from './loadWriting.ts'
import type { BatchOptions, Optimistic } from './SaveOptions.ts'
import type { Outcome } from './sendBatch.ts'

/**
 * Deletes an object, for good.
 *
 * @example
 * await deleteDocument(client, game)
 */
export function deleteDocument(
  client: Client,
  object: Ref,
  { signal, optimistic }: ActionOptions & Optimistic = {},
): Promise<void> {
  return runAction(client, async () => {
    const { destroyOne } = await loadWriting()
    await destroyOne(client, object, { signal, optimistic })
  })
}

/**
 * Deletes many objects, 20 a request. Each has an outcome of its own, in the order given.
 *
 * @example
 * await deleteDocuments(client, games, { transaction: true })
 */
export function deleteDocuments(
  client: Client,
  objects: readonly Ref[],
  { transaction }: BatchOptions = {},
  { signal }: ActionOptions = {},
): Promise<readonly Outcome<undefined>[]> {
  return runAction(client, async () => {
    const given = [...objects]
    const { destroyMany } = await loadWriting()
    return destroyMany(client, given, { transaction, signal })
  })
}
