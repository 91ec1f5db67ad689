import type { Client } from '../Client.ts'
import type { Ref } from './Document.ts'
import { type Outcome, sendBatch } from './sendBatch.ts'
import { settleSave } from './settleSave.ts'

/** Destroys several objects; each has its own outcome. */
export async function destroyMany(
  client: Client,
  objects: readonly Pick<Ref, 'className' | 'objectId'>[],
  options: { transaction: boolean | undefined; signal: AbortSignal | undefined },
): Promise<readonly Outcome<undefined>[]> {
  const items = objects.map(({ className, objectId }) => ({
    method: 'DELETE' as const,
    path: ['classes', className, objectId],
  }))
  const outcomes = await sendBatch(client, items, options).finally(() => settleSave(client, objects))
  return Object.freeze(
    outcomes.map((outcome) => (outcome.status === 'error' ? outcome : { ...outcome, data: undefined })),
  )
}
