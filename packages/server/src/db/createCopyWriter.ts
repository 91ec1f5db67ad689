/** Writes rows in the binary format of `copy … from stdin`: each value in the order of the columns that it names. */
export type CopyWriter = {
  /** Begins the next row. */
  row(): void
  text(value: string): void
  number(value: number): void
  boolean(value: boolean): void
  /** Milliseconds since 1970, as a timestamptz. */
  time(value: number): void
  /** JSON text, as jsonb. */
  json(value: string): void
  texts(values: readonly string[]): void
  /** Returns all written bytes. Nothing may be written after it. */
  end(): Buffer
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')

/** 2000-01-01, from which PostgreSQL counts. */
const epoch = Date.UTC(2000, 0, 1)

const textType = 25

const half = 2 ** 32

/**
 * A row costs the database half of what it costs as bound arrays: nothing is parsed, and whole pages are filled at
 * once. `columns` is how many values a row has.
 */
export function createCopyWriter(columns: number, roughSize = 64 * 1024): CopyWriter {
  let buffer = Buffer.allocUnsafe(Math.max(roughSize, 1024))
  let at = signature.copy(buffer)
  // Flags and the length of an extension: none.
  buffer.fill(0, at, at + 8)
  at += 8

  const ensure = (bytes: number) => {
    if (at + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes))
    buffer.copy(larger, 0, 0, at)
    buffer = larger
  }

  const write = (value: string, prefix: 0 | 1) => {
    // No letter takes more than three bytes for each of its units.
    ensure(5 + 3 * value.length)
    if (prefix === 1) buffer[at + 4] = 1
    const length = prefix + buffer.write(value, at + 4 + prefix)
    buffer.writeInt32BE(length, at)
    at += 4 + length
  }

  const count = (value: number) => {
    at = buffer.writeInt32BE(value, at)
  }

  return {
    row() {
      ensure(2)
      at = buffer.writeInt16BE(columns, at)
    },
    text: (value) => write(value, 0),
    number(value) {
      ensure(12)
      buffer.writeInt32BE(8, at)
      at = buffer.writeDoubleBE(value, at + 4)
    },
    boolean(value) {
      ensure(5)
      buffer.writeInt32BE(1, at)
      at = buffer.writeUInt8(value ? 1 : 0, at + 4)
    },
    time(value) {
      ensure(12)
      buffer.writeInt32BE(8, at)
      const microseconds = (value - epoch) * 1_000
      if (Number.isSafeInteger(microseconds)) {
        const high = Math.floor(microseconds / half)
        buffer.writeInt32BE(high, at + 4)
        at = buffer.writeUInt32BE(microseconds - high * half, at + 8)
      } else at = buffer.writeBigInt64BE(BigInt(value - epoch) * 1_000n, at + 4)
    },
    // The 1 is the version of the format.
    json: (value) => write(value, 1),
    texts(values) {
      ensure(24)
      const start = at
      at += 4
      count(values.length === 0 ? 0 : 1)
      count(0)
      count(textType)
      if (values.length > 0) {
        count(values.length)
        count(1)
        for (const value of values) write(value, 0)
      }
      buffer.writeInt32BE(at - start - 4, start)
    },
    end() {
      ensure(2)
      at = buffer.writeInt16BE(-1, at)
      return buffer.subarray(0, at)
    },
  }
}
