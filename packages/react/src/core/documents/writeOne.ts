import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import type { EncodedInput } from './encodeInput.ts'
import { prepareSave } from './prepareSave.ts'
import type { AnySaveInput } from './SaveInput.ts'
import { settleSave } from './settleSave.ts'

/** Sends one save and gives the object as it is then. */
export async function writeOne<Item>(
  client: Client,
  input: AnySaveInput,
  encoded: EncodedInput,
  signal: AbortSignal | undefined,
): Promise<Item> {
  const { className, objectId, fields, read } = prepareSave(input, encoded)
  if (objectId === undefined) {
    const answer = await request(client, 'createObject', { ...fields, className }, { signal })
    await settleSave(client, [{ className }])
    return read(answer) as Item
  }
  if (Object.keys(fields).length === 0) return read({}) as Item
  const answer = await request(client, 'updateObject', { ...fields, className, objectId }, { signal })
  await settleSave(client, [{ className, objectId }])
  return read(answer) as Item
}
