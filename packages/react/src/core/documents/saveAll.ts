import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { runAction } from '../runAction.ts'
import type { Document } from './Document.ts'
import { prepareSave } from './prepareSave.ts'
import type { ClassName } from './Register.ts'
import type { AnySaveInput, SaveInput } from './SaveInput.ts'
import { type Outcome, sendBatch } from './sendBatch.ts'
import { settleSave } from './settleSave.ts'

export type BatchOptions = {
  /** All of them or none: one that fails is the failure of the whole. */
  readonly transaction?: boolean
}

/**
 * Makes and changes many objects, 20 a request. Each has an outcome of its own, in the order given.
 *
 * @example
 * const outcomes = await saveAll(client, [
 *   { className: 'Game', fields: { title: 'Go' } },
 *   { object: game, changes: { score: increment(1) } },
 * ])
 */
export function saveAll<Name extends ClassName>(
  client: Client,
  inputs: readonly SaveInput<Name>[],
  { transaction }: BatchOptions = {},
  callbacks: Callbacks<readonly Outcome<Document<Name>>[]> = {},
): Promise<readonly Outcome<Document<Name>>[] | undefined> {
  return runAction(client, callbacks, async () => {
    const saves = inputs.map((input) => prepareSave(input as AnySaveInput))
    const sent = saves.filter(({ objectId, fields }) => objectId === undefined || Object.keys(fields).length > 0)
    const items = sent.map(({ className, objectId, fields }) => ({
      method: objectId !== undefined ? ('PUT' as const) : ('POST' as const),
      path: ['classes', className, ...(objectId === undefined ? [] : [objectId])],
      body: fields,
    }))
    const answers = await sendBatch(client, items, { transaction, signal: callbacks.signal }).finally(() =>
      settleSave(client, sent),
    )
    const outcomes = saves.map(
      (save): Outcome<object> => answers[sent.indexOf(save)] ?? { status: 'success', data: {} },
    )
    return Object.freeze(
      outcomes.map((outcome, index) => {
        if (outcome.status === 'error') return outcome
        return { status: 'success', data: saves[index]?.read(outcome.data) as Document<Name> } as const
      }),
    )
  })
}
