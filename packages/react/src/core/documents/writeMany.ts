import type { Client } from '../Client.ts'
import type { EncodedInput } from './encodeInput.ts'
import { prepareSave } from './prepareSave.ts'
import type { AnySaveInput } from './SaveInput.ts'
import { type Outcome, sendBatch } from './sendBatch.ts'
import { settleSave } from './settleSave.ts'

/** Creates and changes several objects; each has its own outcome. */
export async function writeMany(
  client: Client,
  inputs: readonly AnySaveInput[],
  encoded: readonly EncodedInput[],
  options: { transaction: boolean | undefined; signal: AbortSignal | undefined },
): Promise<readonly Outcome<unknown>[]> {
  const saves = inputs.map((input, index) => prepareSave(input, encoded[index] ?? {}))
  const sent = saves.filter(({ objectId, fields }) => objectId === undefined || Object.keys(fields).length > 0)
  const items = sent.map(({ className, objectId, fields }) => ({
    method: objectId !== undefined ? ('PUT' as const) : ('POST' as const),
    path: ['classes', className, ...(objectId === undefined ? [] : [objectId])],
    body: fields,
  }))
  const answers = await sendBatch(client, items, options).finally(() => settleSave(client, sent))
  return Object.freeze(
    saves.map((save): Outcome<unknown> => {
      const outcome = answers[sent.indexOf(save)] ?? { status: 'success', data: {} }
      return outcome.status === 'error' ? outcome : { status: 'success', data: save.read(outcome.data) }
    }),
  )
}
