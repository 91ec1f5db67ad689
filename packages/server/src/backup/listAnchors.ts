import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type NamedAnchor, readAnchors } from '../audit/anchors.ts'
import type { Config } from '../config/Config.ts'
import type { About } from './About.ts'
import { decrypt } from './encryption.ts'

/** Backups that are looked at, the newest first: each encrypted one takes half a second. */
const mostBackups = 20
const longestAbout = 1024 * 1024

/** Every end of the audit log that is kept outside the database: in the file of anchors, and in backups on this disk. */
export async function listAnchors(config: Config): Promise<NamedAnchor[]> {
  const { anchors, since } = await readAnchors(config)
  const inBackups = await listBackupAnchors(config)
  return [...anchors, ...inBackups.filter(({ at }) => since === undefined || at > since)]
}

async function listBackupAnchors({ backup, dataFolder }: Config): Promise<NamedAnchor[]> {
  if (dataFolder.startsWith('memory://')) return []
  const folder = resolve(backup?.folder ?? join(dataFolder, 'backups'))
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^countersign-.*\.backup$/.test(name))
  const found: NamedAnchor[] = []
  for (const name of names.sort().reverse().slice(0, mostBackups)) {
    const path = join(folder, name)
    const about = await readAbout(createReadStream(path) as AsyncIterable<Buffer>, backup?.passphrase)
    if (about?.audit) found.push({ ...about.audit, at: about.created, from: path })
  }
  return found
}

/** Reads the first entry of a backup. Returns `undefined` if it is unreadable. */
async function readAbout(bytes: AsyncIterable<Buffer>, passphrase: string | undefined): Promise<About | undefined> {
  const { extract: createExtract } = await import('tar-stream')
  const extract = createExtract()
  const feeding = pipeline(Readable.from(decrypt(bytes, passphrase)), createGunzip(), extract)
  feeding.catch((error: Error) => extract.destroy(error))
  try {
    for await (const entry of extract) {
      const { name, size = 0 } = entry.header
      if (name !== 'about.json' || size > longestAbout) return undefined
      const chunks: Buffer[] = []
      for await (const chunk of entry as unknown as AsyncIterable<Buffer>) chunks.push(chunk)
      return JSON.parse(Buffer.concat(chunks).toString()) as About
    }
  } catch {
    return undefined
  } finally {
    extract.destroy()
  }
}
