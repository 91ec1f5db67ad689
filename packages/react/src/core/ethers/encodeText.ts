import { HelperError } from './HelperError.ts'
import { show } from './show.ts'

/** A text in UTF-8. Half a character is an error: it would be replaced by another without a word. */
export function encodeText(text: unknown): Uint8Array {
  if (typeof text !== 'string' || /[\ud800-\udfff]/u.test(text)) {
    throw new HelperError('invalid utf-8 string', 'INVALID_ARGUMENT', `${show(text)} is no text of whole characters.`)
  }
  return new TextEncoder().encode(text)
}
