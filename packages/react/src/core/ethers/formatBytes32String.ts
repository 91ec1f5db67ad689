import { encodeText } from './encodeText.ts'
import { HelperError } from './HelperError.ts'
import { writeBytes } from './writeBytes.ts'

/**
 * A short text in 32 bytes, the last of which is zero.
 *
 * @example
 * formatBytes32String('hello') // '0x68656c6c6f000000000000000000000000000000000000000000000000000000'
 */
export function formatBytes32String(text: string): `0x${string}` {
  const bytes = encodeText(text)
  if (bytes.length > 31) {
    const mend = `In UTF-8 the text takes ${bytes.length} bytes; 31 fit.`
    throw new HelperError('bytes32 string must be less than 32 bytes', 'INVALID_ARGUMENT', mend)
  }
  const padded = new Uint8Array(32)
  padded.set(bytes)
  return writeBytes(padded)
}
