import { HelperError } from './HelperError.ts'
import { show } from './show.ts'

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
  throw new HelperError('invalid arrayify value', 'INVALID_ARGUMENT', `${show(value)} is no 0x… text and no bytes.`)
}
