import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { loadWriting } from '../loadWriting.ts'
import { runAction } from '../runAction.ts'
import type { Document } from './Document.ts'
import { encodeInput } from './encodeInput.ts'
import type { ClassName } from './Register.ts'
import type { AnySaveInput, SaveInput } from './SaveInput.ts'
import type { Outcome } from './sendBatch.ts'

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
    const encoded = inputs.map((input) => encodeInput(input as AnySaveInput))
    const { writeMany } = await loadWriting()
    const outcomes = await writeMany(client, inputs as readonly AnySaveInput[], encoded, {
      transaction,
      signal: callbacks.signal,
    })
    return outcomes as readonly Outcome<Document<Name>>[]
  })
}
