import type { WireValue } from '@countersign/protocol'
import { createByteQueue } from './createByteQueue.ts'
import { TransferError } from './Source.ts'

/** MongoDB keeps 16 MiB in one document; dumps may be a little above that. */
const largest = 17 * 1024 * 1024

/** `end` is the document's end; `fields` is absent if it is invalid. */
export type BsonDocument = { fields?: Record<string, unknown>; end: number }

type Bson = typeof import('bson')
let loaded: Bson | undefined

/** Loaded by the one command that needs it. */
export async function loadBson(): Promise<Bson> {
  loaded ??= await import('bson')
  return loaded
}

/** The documents of a collection as mongodump writes them: one behind the other, each with its size in front. */
export async function* readBsonDocuments(bytes: AsyncIterable<Buffer>, from = 0): AsyncGenerator<BsonDocument[]> {
  const { deserialize } = await loadBson()
  const queue = createByteQueue()
  let end = from
  for await (const chunk of bytes) {
    queue.append(chunk)
    const held = queue.bytes
    const found: BsonDocument[] = []
    let at = 0
    while (held.length - at >= 4) {
      const size = held.readInt32LE(at)
      if (size < 5 || size > largest)
        throw new TransferError('The file was not written by mongodump, or it is damaged.')
      if (held.length - at < size) break
      const document = held.subarray(at, at + size)
      at += size
      end += size
      try {
        found.push({ fields: deserialize(document, { promoteBuffers: false }), end })
      } catch {
        found.push({ end })
      }
    }
    queue.drop(at)
    if (found.length > 0) yield found
  }
  if (queue.bytes.length > 0) throw new TransferError('The file is incomplete: it ends in the middle of an object.')
}

/** A value that only MongoDB has, on the wire; `undefined` for all others. By its class: a document may claim anything. */
export function readBsonValue(value: unknown): WireValue | undefined {
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? undefined : { __type: 'Date', iso: value.toISOString() }
  }
  if (loaded === undefined || value === null || typeof value !== 'object') return undefined
  if (value instanceof loaded.ObjectId) return value.toHexString()
  if (value instanceof loaded.Binary) return { __type: 'Bytes', base64: Buffer.from(value.value()).toString('base64') }
  if (value instanceof loaded.Long) return value.toNumber()
  if (value instanceof loaded.Int32 || value instanceof loaded.Double) return value.valueOf()
  if (value instanceof loaded.Decimal128) {
    const number = Number(value.toString())
    return Number.isFinite(number) ? number : undefined
  }
  return undefined
}
