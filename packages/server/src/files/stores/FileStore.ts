/** Bytes from `start` up to and with `end`. */
export type ByteRange = { start: number; end: number }

/** Storage for file content. Names are checked by the caller, and no file is held in memory as a whole. */
export type FileStore = {
  /** Resolves once the content is safe. One that fails half-way leaves nothing that could be read. */
  write(name: string, content: AsyncIterable<Buffer>): Promise<void>
  read(name: string, range: ByteRange): AsyncIterable<Uint8Array>
  /** A name that is not there is none to complain about. */
  remove(name: string): Promise<void>
}

/** The content in pieces of one size; the last may be shorter, and there is none of an empty content. */
export async function* cutContent(content: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    let rest = chunk
    while (length + rest.length >= size) {
      const taken = size - length
      yield Buffer.concat([...held, rest.subarray(0, taken)])
      rest = rest.subarray(taken)
      held = []
      length = 0
    }
    if (rest.length > 0) {
      held.push(rest)
      length += rest.length
    }
  }
  if (length > 0) yield Buffer.concat(held)
}
