/** Bytes from `start` up to and with `end`. */
export type ByteRange = { start: number; end: number }

/** Where the content of files lies. Names are checked before they come here, and nothing is kept in memory as a whole. */
export type FileStore = {
  /** Resolves once the content is safe. One that fails half-way leaves nothing that could be read. */
  write(name: string, content: AsyncIterable<Buffer>): Promise<void>
  read(name: string, range: ByteRange): AsyncIterable<Uint8Array>
  /** A name that is not there is none to complain about. */
  remove(name: string): Promise<void>
}
