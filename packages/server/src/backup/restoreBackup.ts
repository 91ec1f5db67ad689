import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { writeAnchor } from '../audit/anchors.ts'
import { findHead } from '../audit/chain.ts'
import { applySteps, type ClassStep, lockClass } from '../classes/applySteps.ts'
import { type ClassRow, type ClassSchema, decodeClass } from '../classes/ClassSchema.ts'
import { startOf } from '../classes/systemFields.ts'
import type { Config } from '../config/Config.ts'
import type { Database } from '../db/Database.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { sql } from '../db/sql.ts'
import { chooseStore, getStore } from '../files/stores/getStore.ts'
import type { Keys } from '../keys/loadKeys.ts'
import type { About } from './About.ts'
import { BackupError, decrypt } from './encryption.ts'
import { listTables } from './tables.ts'
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
  const written: { store: ReturnType<typeof chooseStore>; name: string }[] = []
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
  throw new BackupError(
    'The database is not empty: a server has used it. Restore the backup into a new database or data folder.',
  )
}

async function readAll(
  { db, config, bytes, passphrase }: RestoreOptions,
  written: { store: ReturnType<typeof chooseStore>; name: string }[],
) {
  const { extract: createExtract } = await import('tar-stream')
  const extract = createExtract()
  const plain = createGunzip()
  const feeding = pipeline(Readable.from(decrypt(bytes, passphrase)), plain, extract).catch((error: Error) => {
    if (!extract.destroyed) extract.destroy(error)
    throw error
  })
  feeding.catch(() => {})
  const hash = createHash('sha256')
  const loaded = new Map<string, number>()
  const columnsOf = new Map<string, string[]>()
  let about: About | undefined
  let keys: Keys | undefined
  let settings = ''
  let classes: ClassRow[] = []
  let sequences: { name: string; value: string }[] = []
  let manifest: Manifest | undefined
  let known = new Set<string>()
  let files = 0

  try {
    for await (const opened of extract) {
      const { name, size = 0, type } = opened.header
      const entry = opened as unknown as AsyncIterable<Buffer>
      // Links and folders have no place in a backup.
      if (type !== 'file' || size > largestEntry || manifest)
        throw new BackupError(`The backup holds an entry that is none of ours: ${name.slice(0, 100)}`)
      if (name === 'manifest.json') {
        manifest = JSON.parse((await readWhole(entry)).toString()) as Manifest
        continue
      }
      hash.update(`${name}\0${size}\0`)
      const [, fileName] = fileEntry.exec(name) ?? []
      if (fileName !== undefined) {
        await putFile(fileName, entry)
        continue
      }
      const content = await readWhole(entry)
      hash.update(content)
      const [, schema, table = '', part] = tableEntry.exec(name) ?? []
      if (schema !== undefined) await putRows(`${schema}.${table}`, schema, table, part === 'columns.json', content)
      else if (name === 'about.json') {
        about = JSON.parse(content.toString()) as About
        await prepare(about)
      } else if (name === 'keys.json') keys = JSON.parse(content.toString()) as Keys
      else if (name === 'settings.json') settings = content.toString()
      else if (name === 'classes.json') {
        classes = JSON.parse(content.toString()) as ClassRow[]
        for (const row of classes) await makeClass(db, decodeClass(row))
        await disableTriggers()
      } else if (name === 'sequences.json') sequences = JSON.parse(content.toString()) as typeof sequences
      else throw new BackupError(`The backup holds an entry that is none of ours: ${name.slice(0, 100)}`)
    }
    await feeding
  } catch (error) {
    if (error instanceof BackupError) throw error
    const { code, message } = error as { code?: string; message: string }
    // Of zlib and tar: what comes out is not what went in.
    if (code?.startsWith('Z_') || /tar|Unexpected end|premature/i.test(message)) {
      throw new BackupError('This is no backup, or it is damaged or not whole.', { cause: error })
    }
    throw error
  }
  if (!about || !keys || !manifest) throw new BackupError('The backup is not whole: its end is missing.')
  if (hash.digest('hex') !== manifest.sha256) throw new BackupError('The backup is damaged: its checksum does not fit.')
  await finish()
  const rows = [...loaded.values()].reduce((sum, count) => sum + count, 0)
  const restored: Restored = {
    version: about.version,
    created: about.created,
    tables: loaded.size,
    rows,
    files,
    missing: manifest.missing,
  }
  return { restored, keys, settings }

  /** The tables as the program had them that made the backup; what is newer comes afterwards. */
  async function prepare({ format, migrations: applied }: About): Promise<void> {
    if (format !== 1) throw new BackupError('The backup was made by a newer program. Use that one.')
    const isKnown = applied.every((name, index) => migrations[index]?.name === name)
    if (!isKnown) throw new BackupError('The backup was made by a newer program. Use that one.')
    await migrate(db, migrations.slice(0, applied.length))
  }

  async function disableTriggers(): Promise<void> {
    const tables = await listTables(db, classes)
    known = new Set(tables.map(({ schema, name }) => `${schema}.${name}`))
    for (const { schema, name } of tables) {
      await db.query(sql`alter table ${sql.id(schema)}.${sql.id(name)} disable trigger user`)
    }
    // Making the classes was audited; the log of the backup takes its place.
    if (known.has('countersign.audit')) await db.query(sql`delete from countersign.audit`)
  }

  async function putRows(
    place: string,
    schema: string,
    table: string,
    isColumns: boolean,
    content: Buffer,
  ): Promise<void> {
    if (!known.has(place)) throw new BackupError(`The backup holds a table that is none of ours: ${place}`)
    if (isColumns) {
      columnsOf.set(place, JSON.parse(content.toString()) as string[])
      loaded.set(place, 0)
      return
    }
    const columns = columnsOf.get(place)
    if (!columns) throw new BackupError(`The backup holds rows of ${place} without its columns.`)
    const names = sql.join(columns.map((column) => sql.id(column)))
    const target = sql`${sql.id(schema)}.${sql.id(table)}`
    const list = `[${content.toString().replaceAll('\n', ',')}]`
    const [put] = await db.query<{ count: number }>(sql`
      with put as (
        insert into ${target} (${names}) overriding system value
        select ${names} from json_populate_recordset(null::${target}, ${list}::json) returning 1
      ) select count(*)::integer as count from put`)
    loaded.set(place, (loaded.get(place) ?? 0) + (put?.count ?? 0))
  }

  async function putFile(name: string, entry: AsyncIterable<Buffer>): Promise<void> {
    const storeName = chooseStore({ config, db })
    written.push({ store: storeName, name })
    const content = createHash('sha256')
    await getStore({ config, db }, storeName).write(name, counted())
    const [row] = await db.query(sql`
      update countersign.files set store = ${storeName}
      where name = ${name} and digest = ${content.digest()}
      returning 1`)
    if (!row) throw new BackupError(`The backup is damaged: the content of ${name} is another than it was.`)
    files++

    async function* counted(): AsyncGenerator<Buffer> {
      for await (const chunk of entry) {
        hash.update(chunk)
        content.update(chunk)
        yield chunk
      }
    }
  }

  async function finish(): Promise<void> {
    for (const [place, expected] of Object.entries(manifest?.tables ?? {})) {
      const [schema = '', name = ''] = [place.slice(0, place.indexOf('.')), place.slice(place.indexOf('.') + 1)]
      const [found] = await db.query<{ count: number }>(
        sql`select count(*)::float8 as count from ${sql.id(schema)}.${sql.id(name)}`,
      )
      if (loaded.get(place) !== expected || found?.count !== expected) {
        throw new BackupError(`The backup is damaged: ${place} had ${expected} rows, and ${found?.count} came over.`)
      }
    }
    for (const { name, value } of sequences) {
      await db.query(sql`select setval(to_regclass(${`countersign.${name}`}), ${value}::bigint)`)
    }
    for (const place of known) {
      const [schema = '', name = ''] = [place.slice(0, place.indexOf('.')), place.slice(place.indexOf('.') + 1)]
      await db.query(sql`alter table ${sql.id(schema)}.${sql.id(name)} enable trigger user`)
    }
    for (const row of classes) await makeIndexes(db, decodeClass(row))
    // Puts the triggers of webhooks on the tables of their classes.
    await db.query(sql`update countersign.webhooks set enabled = enabled`)
    await migrate(db, migrations)
  }
}

async function readWhole(entry: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A class with its fields, relations and permissions. Its indexes come once its rows are there. */
async function makeClass(db: Database, wanted: ClassSchema): Promise<void> {
  const current = await lockClass(db, wanted.className)
  const start = current ? [] : startOf(wanted.className)
  const present = new Set([
    ...(current?.fields.keys() ?? []),
    ...(current?.relations.keys() ?? []),
    ...start.flatMap((step) => (step.kind === 'addField' ? [step.name] : [])),
  ])
  const steps: ClassStep[] = [...start]
  for (const [name, field] of wanted.fields) {
    steps.push(present.has(name) ? { kind: 'changeField', name, field } : { kind: 'addField', name, field })
  }
  for (const [name, targetClass] of wanted.relations) {
    if (!present.has(name)) steps.push({ kind: 'addRelation', name, targetClass })
  }
  steps.push({ kind: 'setPermissions', permissions: wanted.permissions })
  if (wanted.dropped) steps.push({ kind: 'markDropped', dropped: true })
  await applySteps(db, wanted.className, current, steps)
}

async function makeIndexes(db: Database, wanted: ClassSchema): Promise<void> {
  const current = await lockClass(db, wanted.className)
  const steps = [...wanted.indexes]
    .filter(([name]) => !current?.indexes.has(name))
    .map(([name, index]): ClassStep => ({ kind: 'addIndex', name, index }))
  if (steps.length > 0) await applySteps(db, wanted.className, current, steps)
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
