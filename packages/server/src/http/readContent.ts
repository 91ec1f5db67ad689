import type { Readable } from 'node:stream'
import { CountersignError } from '@countersign/protocol'

/** What comes in, chunk by chunk. A reader who leaves early leaves the connection open: the answer needs it. */
export async function* readContent(stream: Readable, failure = 'The upload was interrupted.'): AsyncGenerator<Buffer> {
  try {
    yield* stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause
    throw new CountersignError('FileSaveError', failure, { cause })
  }
}
