import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BsonDocument, loadBson, readBsonDocuments } from '../readBson.ts'
import { type SourceFile, TransferError } from '../Source.ts'

type Piece = { number: number; start: number; end: number }
type Stored = { id: string; length: number; uploaded: number }

export type GridFs = {
  /** Newest file of this name; `undefined` if there is none, or it is incomplete. */
  openFile(name: string): Promise<SourceFile | undefined>
  close(): Promise<void>
}

type OpenBytes = (path: string, from: number) => AsyncIterable<Buffer>

/**
 * Files that parse-server kept in MongoDB: `fs.files` has their names, `fs.chunks` their content in pieces of any
 * order. The offset of each piece is read once; the content is read from there, so that no file is in memory as a
 * whole.
 */
export function openGridFs(filesPath: string, chunksPath: string, openBytes: OpenBytes): GridFs {
  let reading: Promise<{ names: Map<string, Stored>; pieces: Map<string, Piece[]>; file: FileHandle }> | undefined
  let folder: string | undefined

  const read = async () => {
    let plain = chunksPath
    if (chunksPath.endsWith('.gz')) {
      // Compressed files have no offsets to read from.
      folder = await mkdtemp(join(tmpdir(), 'countersign-gridfs-'))
      plain = join(folder, 'chunks.bson')
      await pipeline(Readable.from(openBytes(chunksPath, 0)), createWriteStream(plain, { mode: 0o600 }))
    }
    return {
      names: await readNames(openBytes(filesPath, 0)),
      pieces: await readPieces(openBytes(plain, 0)),
      file: await open(plain, 'r'),
    }
  }

  return {
    async openFile(name) {
      reading ??= read()
      const { names, pieces, file } = await reading
      const stored = names.get(name)
      if (!stored) return undefined
      const own = (pieces.get(stored.id) ?? []).sort((one, other) => one.number - other.number)
      // Before its first byte: half of a file must not pass for all of it.
      const isWhole = own.every(({ number }, place) => number === place) && (own.length > 0 || stored.length === 0)
      return isWhole ? { content: readContent(file, own, stored.length) } : undefined
    },
    async close() {
      await (await reading?.catch(() => undefined))?.file.close()
      if (folder) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function readNames(bytes: AsyncIterable<Buffer>): Promise<Map<string, Stored>> {
  const names = new Map<string, Stored>()
  for await (const documents of readBsonDocuments(bytes)) {
    for (const { fields } of documents) {
      if (typeof fields?.filename !== 'string') continue
      const uploaded = fields.uploadDate instanceof Date ? fields.uploadDate.getTime() : 0
      if ((names.get(fields.filename)?.uploaded ?? Number.NEGATIVE_INFINITY) > uploaded) continue
      names.set(fields.filename, { id: String(fields._id), length: Number(fields.length), uploaded })
    }
  }
  return names
}

async function readPieces(bytes: AsyncIterable<Buffer>): Promise<Map<string, Piece[]>> {
  const pieces = new Map<string, Piece[]>()
  let start = 0
  for await (const documents of readBsonDocuments(bytes)) {
    for (const { fields, end } of documents) {
      if (fields) {
        const id = String(fields.files_id)
        const own = pieces.get(id) ?? []
        own.push({ number: Number(fields.n), start, end })
        pieces.set(id, own)
      }
      start = end
    }
  }
  return pieces
}

async function* readContent(file: FileHandle, pieces: Piece[], length: number): AsyncGenerator<Buffer> {
  const { Binary } = await loadBson()
  let size = 0
  for (const { start, end } of pieces) {
    const bytes = Buffer.alloc(end - start)
    await file.read(bytes, 0, bytes.length, start)
    for await (const documents of readBsonDocuments(once(bytes))) {
      const data = (documents[0] as BsonDocument).fields?.data
      if (!(data instanceof Binary)) throw new TransferError('A chunk of a file in GridFS has no bytes.')
      const content = Buffer.from(data.value())
      size += content.length
      yield content
    }
  }
  if (size !== length) throw new TransferError(`A file in GridFS has ${size} bytes and should have ${length}.`)
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
