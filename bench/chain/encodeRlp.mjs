/**
 * Recursive length prefix of a list of byte strings, as headers of blocks are hashed by.
 *
 * @param {Uint8Array[]} items
 * @returns {Buffer}
 */
export function encodeRlp(items) {
  const body = Buffer.concat(items.map(encodeBytes))
  return Buffer.concat([prefix(0xc0, body.length), body])
}

/** @param {Uint8Array} bytes */
function encodeBytes(bytes) {
  if (bytes.length === 1 && /** @type {number} */ (bytes[0]) < 0x80) return bytes
  return Buffer.concat([prefix(0x80, bytes.length), bytes])
}

/** @param {number} base @param {number} length */
function prefix(base, length) {
  if (length < 56) return Buffer.from([base + length])
  const size = numberBytes(length)
  return Buffer.concat([Buffer.from([base + 55 + size.length]), size])
}

/**
 * A number without leading zeros; zero is no byte at all.
 *
 * @param {number} value
 */
export function numberBytes(value) {
  if (value === 0) return Buffer.alloc(0)
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
}
