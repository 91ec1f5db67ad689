import { HelperError, show, writeBytes } from '@countersign/react/adapter'

export type BytesLike = string | Uint8Array | readonly number[]

/** Bytes, from hexadecimal text of whole bytes, or from numbers. */
export function readBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256)) {
    return Uint8Array.from(value)
  }
  if (typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)) {
    if (value.length % 2)
      throw new HelperError('hex data is odd-length', 'INVALID_ARGUMENT', `${show(value)} was given.`)
    return Uint8Array.from({ length: value.length / 2 - 1 }, (_, index) =>
      Number.parseInt(value.slice(2 * index + 2, 2 * index + 4), 16),
    )
  }
  throw new HelperError(
    'invalid arrayify value',
    'INVALID_ARGUMENT',
    `${show(value)} is neither a 0x… string nor bytes.`,
  )
}

/** A text in UTF-8. Half a character is an error: it would be replaced by another without a word. */
export function encodeText(text: unknown): Uint8Array {
  if (typeof text !== 'string' || /[\ud800-\udfff]/u.test(text)) {
    throw new HelperError('invalid utf-8 string', 'INVALID_ARGUMENT', `${show(text)} is not a valid string.`)
  }
  return new TextEncoder().encode(text)
}

/**
 * A short text in 32 bytes, the last of which is zero.
 *
 * @example
 * formatBytes32String('hello') // '0x68656c6c6f000000000000000000000000000000000000000000000000000000'
 */
export function formatBytes32String(text: string): `0x${string}` {
  const bytes = encodeText(text)
  if (bytes.length > 31) {
    const details = `The text has ${bytes.length} bytes in UTF-8; the maximum is 31.`
    throw new HelperError('bytes32 string must be less than 32 bytes', 'INVALID_ARGUMENT', details)
  }
  const padded = new Uint8Array(32)
  padded.set(bytes)
  return writeBytes(padded)
}

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
    throw refuse('invalid codepoint', 'The bytes are not valid UTF-8.')
  }
}

function refuse(reason: string, details: string): HelperError {
  return new HelperError(reason, 'INVALID_ARGUMENT', details)
}
