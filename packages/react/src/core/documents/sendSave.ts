import type { Client } from '../Client.ts'
import { loadWriting } from '../loadWriting.ts'
import { encodeInput } from './encodeInput.ts'
import type { AnySaveInput } from './SaveInput.ts'

/** Creates or changes one object. */
export async function sendSave<Item>(client: Client, input: AnySaveInput, signal?: AbortSignal): Promise<Item> {
  const encoded = encodeInput(input)
  const { writeOne } = await loadWriting()
  return writeOne<Item>(client, input, encoded, signal)
}
