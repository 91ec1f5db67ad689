import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib'
import type { Migration } from '../migrate.ts'
import { migrations } from '../migrations.ts'

/** Folder that the build writes. Absent in sources: the database is then created from scratch. */
const folder = fileURLToPath(new URL('../../prepared/', import.meta.url))

/**
 * Name of an empty database with all migrations. Contains everything its content depends on, so another version is
 * never used.
 */
export function preparedName(of: readonly Migration[] = migrations): string {
  const manifest = fileURLToPath(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')))
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  const hash = createHash('sha256').update(version)
  for (const { name, sql } of of) hash.update(`\0${name}\0${sql}`)
  return `${hash.digest('hex').slice(0, 16)}.tar.br`
}

/** Packs the files of a database that is closed. */
export async function packDatabase(database: string, into: string): Promise<void> {
  const { pack: createPack } = await import('tar-stream')
  const pack = createPack()
  // The three databases of a new cluster are alike, so a window of 16 MB shrinks it to a third of gzip's size.
  const window = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  const compress = createBrotliCompress({ params: { ...window, [constants.BROTLI_PARAM_QUALITY]: 9 } })
  const writing = pipeline(pack, compress, createWriteStream(into))
  for (const entry of await readdir(database, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(database, path).replaceAll('\\', '/')
    if (entry.isDirectory()) pack.entry({ name, type: 'directory' })
    else pack.entry({ name }, await readFile(path))
  }
  pack.finalize()
  await writing
}

/** Unpacks the files of an empty database, where the package brings them; false where it does not. */
export async function unpackPrepared(into: string, from: string = join(folder, preparedName())): Promise<boolean> {
  if (!existsSync(from)) return false
  const { extract: createExtract } = await import('tar-stream')
  const extract = createExtract()
  const feeding = pipeline(createReadStream(from), createBrotliDecompress(), extract)
  feeding.catch(() => {})
  try {
    for await (const entry of extract) {
      const path = join(into, entry.header.name)
      if (entry.header.type === 'directory') {
        await mkdir(path, { recursive: true, mode: 0o700 })
        entry.resume()
      } else {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await writeFile(path, await buffer(entry), { mode: 0o600 })
      }
    }
    await feeding
    return true
  } catch {
    // A package whose file was cut off on its way still starts: the database is made as without it.
    await rm(into, { recursive: true, force: true })
    return false
  }
}
