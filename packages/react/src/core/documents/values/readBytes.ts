import type { Bytes } from './FieldTypes.ts'

/**
 * The bytes of a field's value.
 *
 * @example
 * const salt = readBytes(key.salt)
 */
export function readBytes({ base64 }: Bytes): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
