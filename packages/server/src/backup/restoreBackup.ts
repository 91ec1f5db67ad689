import { createHash, type Hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { writeAnchor } from '../audit/anchors.ts'
import { findHead } from '../audit/chain.ts'
import type { ClassRow } from '../classes/ClassSchema.ts'
import { recordLayouts } from '../classes/partitions/Layout.ts'
import type { Config } from '../config/Config.ts'
import type { Database } from '../db/Database.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { sql } from '../db/sql.ts'
import { chooseStore, getStore } from '../files/stores/getStore.ts'
import type { Keys } from '../keys/loadKeys.ts'
import type { About } from './About.ts'
import { BackupError, decrypt } from './encryption.ts'
import { restoreTables } from './restoreTables.ts'
import type { Manifest } from './writeBackup.ts'

export type RestoreOptions = {
  /** An empty database. */
  db: Database
  config: Config
  bytes: AsyncIterable<Buffer>
  passphrase?: string | undefined
}

export type Restored = {
  version: string
  created: string
  tables: number
  rows: number
  files: number
  missing: string[]
}

/** A file that is removed again if the restore fails. */
type WrittenFile = { store: ReturnType<typeof chooseStore>; name: string }

type Sequence = { name: string; value: string }

/** More than any entry is: a hostile archive must not fill the memory. */
const largestEntry = 512 * 1024 * 1024
const tableEntry = /^tables\/(public|countersign)\.([^/]{1,63})\/(columns\.json|\d{8}\.ndjson)$/
const fileEntry = /^files\/([0-9a-f]{32}_[\w@. ~-]{1,128})$/

/**
 * Restores a backup into an empty database, all or nothing: the archive's manifest is compared before the commit. Keys
 * go where the server of that database reads them.
 */
export async function restoreBackup({ db, config, bytes, passphrase }: RestoreOptions): Promise<Restored> {
  await refuseUsed(db)
  const written: WrittenFile[] = []
  try {
    const { restored, keys, settings } = await db.transaction(
      () => readAll({ db, config, bytes, passphrase }, written),
      {
        tries: 1,
      },
    )
    await keepKeys(db, config, keys, settings)
    const head = await findHead(db)
    // Anchors from before speak of the log that this one takes the place of.
    if (head) await writeAnchor(config, head, true)
    return restored
  } catch (error) {
    for (const { store, name } of written)
      await getStore({ config, db }, store)
        .remove(name)
        .catch(() => {})
    throw error
  }
}

async function refuseUsed(db: Database): Promise<void> {
  const [found] = await db.query<{ used: string | null }>(
    sql`select to_regclass('countersign.migrations')::text as used`,
  )
  if (found?.used === null) return
  throw new BackupError('The database is not empty. Restore the backup into a new database or data folder.')
}

async function readAll({ db, config, bytes, passphrase }: RestoreOptions, written: WrittenFile[]) {
  const { extract: createExtract } = await import('tar-stream')
  const extract = createExtract()
  const plain = createGunzip()
  const feeding = pipeline(Readable.from(decrypt(bytes, passphrase)), plain, extract).catch((error: Error) => {
    if (!extract.destroyed) extract.destroy(error)
    throw error
  })
  feeding.catch(() => {})
  const hash = createHash('sha256')
  const tables = restoreTables(db)
  let about: About | undefined
  let keys: Keys | undefined
  let settings = ''
  let sequences: Sequence[] = []
  let manifest: Manifest | undefined
  let files = 0

  try {
    for await (const opened of extract) {
      const { name, size = 0, type } = opened.header
      const entry = opened as unknown as AsyncIterable<Buffer>
      // Links and folders have no place in a backup.
      if (type !== 'file' || size > largestEntry || manifest) throw unknownEntry(name)
      if (name === 'manifest.json') {
        manifest = JSON.parse((await readWhole(entry)).toString()) as Manifest
        continue
      }
      hash.update(`${name}\0${size}\0`)
      const [, fileName] = fileEntry.exec(name) ?? []
      if (fileName !== undefined) {
        await putFile({ config, db }, fileName, hashed(entry, hash), written)
        files++
        continue
      }
      const content = await readWhole(entry)
      hash.update(content)
      const [, schema, table = '', part] = tableEntry.exec(name) ?? []
      if (schema !== undefined) await tables.put({ schema, table, isColumns: part === 'columns.json', content })
      else if (name === 'about.json') {
        about = JSON.parse(content.toString()) as About
        await prepare({ db, config }, about)
      } else if (name === 'keys.json') keys = JSON.parse(content.toString()) as Keys
      else if (name === 'settings.json') settings = content.toString()
      else if (name === 'classes.json') await tables.open(JSON.parse(content.toString()) as ClassRow[])
      else if (name === 'sequences.json') sequences = JSON.parse(content.toString()) as Sequence[]
      else throw unknownEntry(name)
    }
    await feeding
  } catch (error) {
    throw describeDamage(error)
  }
  if (!about || !keys || !manifest) throw new BackupError('The backup is incomplete: its end is missing.')
  if (hash.digest('hex') !== manifest.sha256)
    throw new BackupError('The backup is damaged: its checksum does not match.')
  await tables.check(manifest.tables ?? {})
  await setSequences(db, sequences)
  await tables.finish()
  // Puts the triggers of webhooks on the tables of their classes.
  await db.query(sql`update countersign.webhooks set enabled = enabled`)
  await migrate(db, migrations)
  const rows = [...tables.loaded.values()].reduce((sum, count) => sum + count, 0)
  const restored: Restored = {
    version: about.version,
    created: about.created,
    tables: tables.loaded.size,
    rows,
    files,
    missing: manifest.missing,
  }
  return { restored, keys, settings }
}

const unknownEntry = (name: string) => new BackupError(`The backup contains an unknown entry: ${name.slice(0, 100)}`)

/** The error to throw for one that happened while the archive was read. */
function describeDamage(error: unknown): unknown {
  if (error instanceof BackupError) return error
  const { code, message } = error as { code?: string; message: string }
  // Of zlib and tar: what comes out is not what went in.
  if (code?.startsWith('Z_') || /tar|Unexpected end|premature/i.test(message)) {
    return new BackupError('This file is not a backup, or it is damaged or incomplete.', { cause: error })
  }
  return error
}

/** The tables as the program had them that made the backup; what is newer comes afterwards. */
async function prepare(
  { db, config }: Pick<RestoreOptions, 'db' | 'config'>,
  { format, migrations: applied }: About,
): Promise<void> {
  if (format !== 1)
    throw new BackupError('The backup was made by a newer version of Countersign. Restore it with that version.')
  const isKnown = applied.every((name, index) => migrations[index]?.name === name)
  if (!isKnown)
    throw new BackupError('The backup was made by a newer version of Countersign. Restore it with that version.')
  await migrate(db, migrations.slice(0, applied.length))
  await recordLayouts(db, config)
}

async function putFile(
  { config, db }: Pick<RestoreOptions, 'config' | 'db'>,
  name: string,
  entry: AsyncIterable<Buffer>,
  written: WrittenFile[],
): Promise<void> {
  const storeName = chooseStore({ config, db })
  written.push({ store: storeName, name })
  const content = createHash('sha256')
  await getStore({ config, db }, storeName).write(name, hashed(entry, content))
  const [row] = await db.query(sql`
    update countersign.files set store = ${storeName}
    where name = ${name} and digest = ${content.digest()}
    returning 1`)
  if (!row) throw new BackupError(`The backup is damaged: the content of ${name} does not match its checksum.`)
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

async function setSequences(db: Database, sequences: readonly Sequence[]): Promise<void> {
  for (const { name, value } of sequences) {
    await db.query(sql`select setval(to_regclass(${`countersign.${name}`}), ${value}::bigint)`)
  }
}

async function readWhole(entry: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function keepKeys(db: Database, config: Config, keys: Keys, settings: string): Promise<void> {
  if (db.kind === 'postgres' || config.dataFolder.startsWith('memory://')) {
    await db.query(sql`
      insert into countersign.keys (name, value)
      select * from unnest(${Object.keys(keys)}::text[], ${Object.values(keys)}::text[])
      on conflict (name) do update set value = excluded.value`)
  } else await keepFile(config.dataFolder, 'keys.json', `${JSON.stringify(keys, null, 2)}\n`)
  if (!config.dataFolder.startsWith('memory://')) await keepFile(config.dataFolder, 'restored-settings.json', settings)
}

async function keepFile(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  await writeFile(`${path}.new`, text, { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** Returns true if a server has used the data folder. */
export function isUsedFolder(folder: string): boolean {
  return ['database', 'keys.json', 'files'].some((name) => existsSync(join(folder, name)))
}

/** Takes away what a restore that failed has begun in a folder that was empty. */
export async function clearFolder(folder: string): Promise<void> {
  for (const name of ['database', 'database.unfinished', 'keys.json', 'files', 'restored-settings.json']) {
    await rm(join(folder, name), { recursive: true, force: true })
  }
}
