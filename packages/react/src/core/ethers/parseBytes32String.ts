import { HelperError } from './HelperError.ts'
import { type BytesLike, readBytes } from './readBytes.ts'

/**
 * The text that 32 bytes hold, up to the zeros at their end.
 *
 * @example
 * parseBytes32String(formatBytes32String('hello')) // 'hello'
 */
export function parseBytes32String(value: BytesLike): string {
  const bytes = readBytes(value)
  if (bytes.length !== 32) throw refuse('invalid bytes32 - not 32 bytes long', `There are ${bytes.length} bytes.`)
  if (bytes[31] !== 0) throw refuse('invalid bytes32 string - no null terminator', 'The last byte must be zero.')
  let end = 31
  while (end > 0 && bytes[end - 1] === 0) end--
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end))
  } catch {
    throw refuse('invalid codepoint', 'The bytes are no text in UTF-8.')
  }
}

function refuse(reason: string, mend: string): HelperError {
  return new HelperError(reason, 'INVALID_ARGUMENT', mend)
}
