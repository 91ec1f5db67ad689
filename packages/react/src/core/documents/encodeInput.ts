import { encodeFields } from './encodeFields.ts'
import type { AnySaveInput } from './SaveInput.ts'

export type EncodedInput = ReturnType<typeof encodeFields>

/** What is to be saved as it is at the call: an application may go on to change what it handed over. */
export function encodeInput(input: AnySaveInput): EncodedInput {
  return encodeFields('fields' in input ? input.fields : input.changes)
}
