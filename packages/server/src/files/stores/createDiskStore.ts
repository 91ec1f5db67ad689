import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { FileStore } from './FileStore.ts'

/** Files in a folder, spread over 256 folders within it. */
export function createDiskStore(folder: string): FileStore {
  const root = resolve(folder)
  const placeOf = (name: string) => {
    // Names are random in front and checked on the way in; a path must never be made of anything else.
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
