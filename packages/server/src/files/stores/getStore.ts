import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Context } from '../../context/Context.ts'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import { createS3Store } from './createS3Store.ts'
import { cutContent, type FileStore } from './FileStore.ts'
import type { StoreName } from './StoreName.ts'

const chunkSize = 256 * 1024

/** The store for new files. Several servers on one PostgreSQL share no disk, but the database. */
export function chooseStore({ config, db }: Pick<Context, 'config' | 'db'>): StoreName {
  if (config.files.store) return config.files.store
  return db.kind === 'postgres' || config.dataFolder.startsWith('memory://') ? 'database' : 'disk'
}

/** A store by its name: files stay readable where they are when the operator chooses another for new ones. */
export function getStore({ config, db }: Pick<Context, 'config' | 'db'>, name: StoreName): FileStore {
  if (name === 'database') return createDatabaseStore(db)
  if (name === 'disk') return createDiskStore(config.files.folder ?? join(config.dataFolder, 'files'))
  if (!config.files.s3) throw new Error('A file is stored in S3, but files.s3 is not configured.')
  return createS3Store(config.files.s3)
}

/**
 * Files in PostgreSQL, in chunks. Each is a statement of its own, with no transaction around them: an upload takes as
 * long as its client likes, and the embedded database has one connection for everybody.
 */
export function createDatabaseStore(db: Database): FileStore {
  return {
    async write(name, content) {
      let place = 0
      for await (const chunk of cutContent(content, chunkSize)) {
        await db.query(
          sql`insert into countersign.file_chunks (name, place, content) values (${name}, ${place++}, ${chunk})`,
        )
      }
    },
    async *read(name, { start, end }) {
      for (let place = Math.floor(start / chunkSize); place * chunkSize <= end; place++) {
        const [row] = await db.query<{ content: Buffer }>(
          sql`select content from countersign.file_chunks where name = ${name} and place = ${place}`,
        )
        if (!row) throw new Error(`Chunk ${place} of the file ${name} is missing.`)
        const before = place * chunkSize
        yield row.content.subarray(Math.max(0, start - before), Math.min(chunkSize, end - before + 1))
      }
    },
    async remove(name) {
      await db.query(sql`delete from countersign.file_chunks where name = ${name}`)
    },
  }
}

/** Files in a folder, spread over 256 folders within it. */
export function createDiskStore(folder: string): FileStore {
  const root = resolve(folder)
  const placeOf = (name: string) => {
    // Names are random in front and checked when stored; a path must never be made of anything else.
    if (!/^[0-9a-f]{32}_[\w@. ~-]+$/.test(name)) throw new Error('This is not the name of a stored file.')
    return join(root, name.slice(0, 2), name)
  }
  return {
    async write(name, content) {
      const place = placeOf(name)
      const unfinished = `${place}.part`
      await mkdir(dirname(place), { recursive: true })
      try {
        const file = await open(unfinished, 'wx', 0o640)
        try {
          await writeAll(file, content)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished, place)
        await syncFolder(dirname(place))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    read: (name, { start, end }) =>
      end < start ? nothing() : createReadStream(placeOf(name), { start, end, highWaterMark: 256 * 1024 }),
    async remove(name) {
      const place = placeOf(name)
      await rm(`${place}.part`, { force: true })
      await rm(place, { force: true })
    },
  }
}

async function writeAll(file: FileHandle, content: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of content) {
    for (let written = 0; written < chunk.length; ) {
      const { bytesWritten } = await file.write(chunk, written)
      written += bytesWritten
    }
  }
}

/** The new name survives a power cut only once the folder itself is on the disk. Windows has no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
