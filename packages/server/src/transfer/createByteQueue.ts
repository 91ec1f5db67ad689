/** Bytes that came in and were not used yet, as one piece. */
export type ByteQueue = {
  readonly bytes: Buffer
  append(chunk: Buffer): void
  drop(count: number): void
}

/**
 * Joins chunks in time that grows with their bytes: room is doubled, where joining each with all before it takes the
 * square (97 s for an object of 15 MiB in small chunks). What was handed out is never written over.
 */
export function createByteQueue(): ByteQueue {
  let room: Buffer = Buffer.alloc(0)
  let [start, end] = [0, 0]
  return {
    get bytes() {
      return room.subarray(start, end)
    },
    append(chunk) {
      const held = end - start
      if (held === 0) {
        ;[room, start, end] = [chunk, 0, chunk.length]
        return
      }
      if (end + chunk.length > room.length) {
        const larger = Buffer.allocUnsafe(2 * (held + chunk.length))
        room.copy(larger, 0, start, end)
        ;[room, start, end] = [larger, 0, held]
      }
      chunk.copy(room, end)
      end += chunk.length
    },
    drop(count) {
      start += count
    },
  }
}
