import type { Bytes } from './FieldTypes.ts'

/**
 * A few bytes as a field's value.
 *
 * @example
 * await create(client, 'Key', { salt: bytes(crypto.getRandomValues(new Uint8Array(16))) })
 */
export function bytes(data: Uint8Array): Bytes {
  return Object.freeze({
    __type: 'Bytes',
    base64: btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join('')),
  })
}
