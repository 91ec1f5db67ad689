/**
 * Splits a stream of messages of PostgreSQL's protocol.
 *
 * @param {(type: string, body: Buffer, at: number) => void} onMessage with the place in its chunk where it begins, below 0
 *   where that was an earlier chunk
 * @param {{ isClient?: boolean }} [options] the first message of a client has no type
 */
export function readMessages(onMessage, { isClient = true } = {}) {
  /** @type {Buffer} */
  let held = Buffer.alloc(0)
  let hasType = !isClient
  return (/** @type {Buffer} */ chunk) => {
    let at = -held.length
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (;;) {
      const head = hasType ? 1 : 0
      if (held.length < head + 4) return
      const length = head + held.readUInt32BE(head)
      if (held.length < length) return
      if (hasType) onMessage(String.fromCharCode(/** @type {number} */ (held[0])), held.subarray(5, length), at)
      hasType = true
      held = held.subarray(length)
      at += length
    }
  }
}
