import type { Readable } from 'node:stream'
import { CountersignError } from '@countersign/protocol'
import { readContent } from './readContent.ts'

/** A body as a whole, where it is small enough. The rest of a larger one is left unread. */
export async function readWholeBody(body: Readable, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of readContent(body)) {
    length += chunk.length
    if (length > largest) throw new CountersignError('ObjectTooLarge', 'The request is too large.', { status: 413 })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
