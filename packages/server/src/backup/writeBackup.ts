import { createHash } from 'node:crypto'
import { createGzip } from 'node:zlib'
import { findHead } from '../audit/chain.ts'
import type { Config } from '../config/Config.ts'
import type { Database, Snapshot } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { getStore } from '../files/stores/getStore.ts'
import type { StoreName } from '../files/stores/StoreName.ts'
import type { Keys } from '../keys/loadKeys.ts'
import { version } from '../version.ts'
import type { About } from './About.ts'
import { encrypt } from './encryption.ts'
import { listClassRows, listTables, type Table } from './tables.ts'

export type BackupOptions = {
  db: Database
  config: Config
  keys: Keys
  passphrase?: string | undefined
  /** Snapshot to read, closed by its owner. Default: the database at the start of the backup. */
  snapshot?: Snapshot | undefined
}

/** Last entry of a backup: describes the entries before it. */
export type Manifest = {
  tables: { [name: string]: number }
  files: number
  /** Files whose content was gone when it was to be read: deleted since. */
  missing: string[]
  /** SHA-256 of the names and contents of all entries before this one. */
  sha256: string
}

/** Size of an archive entry in bytes: an entry has to state its size first, so rows are collected. */
const entryBytes = 4 * 1024 * 1024
const fetchRows = 200

/**
 * The whole installation as one file: database, files, keys and settings, at one moment, while the server keeps
 * running. A compressed tar archive, encrypted if there is a passphrase.
 */
export async function* writeBackup(options: BackupOptions): AsyncGenerator<Buffer> {
  const { pack: createPack } = await import('tar-stream')
  const pack = createPack()
  const zipped = createGzip({ level: 3 })
  const filling = fill(options, async (name, size, content) => {
    await new Promise<void>((resolve, reject) => {
      const entry = pack.entry({ name, size, mode: 0o600, mtime: new Date() }, (error) =>
        error ? reject(error) : resolve(),
      ) as unknown as NodeJS.WritableStream
      const write = async () => {
        for await (const chunk of content) {
          if (!entry.write(chunk)) await new Promise<void>((drained) => entry.once('drain', () => drained()))
        }
        entry.end()
      }
      write().catch(reject)
    })
  }).then(
    () => pack.finalize(),
    (error: Error) => pack.destroy(error),
  )
  pack.on('error', (error) => zipped.destroy(error))
  pack.pipe(zipped)
  const bytes = zipped as AsyncIterable<Buffer>
  yield* options.passphrase === undefined ? bytes : encrypt(bytes, options.passphrase)
  await filling
}

type Put = (name: string, size: number, content: AsyncIterable<Buffer>) => Promise<void>

async function fill({ db, config, keys, snapshot: given }: BackupOptions, put: Put): Promise<void> {
  const snapshot = given ?? (await db.snapshot())
  try {
    const hash = createHash('sha256')
    const add = (name: string, text: Buffer | string) => {
      const content = Buffer.from(text)
      return addStream(name, content.length, once(content))
    }
    const addStream = (name: string, size: number, content: AsyncIterable<Buffer>) => {
      hash.update(`${name}\0${size}\0`)
      return put(name, size, hashed(content))
    }
    async function* hashed(content: AsyncIterable<Buffer>) {
      for await (const chunk of content) {
        hash.update(chunk)
        yield chunk
      }
    }
    const migrations = await snapshot.query<{ name: string }>(
      sql`select name from countersign.migrations order by position`,
    )
    const audit = await findHead(snapshot)
    const about: About = {
      format: 1,
      version,
      created: new Date().toISOString(),
      migrations: migrations.map(({ name }) => name),
      ...(audit && { audit }),
    }
    await add('about.json', JSON.stringify(about))
    await add('keys.json', JSON.stringify(keys))
    const { databaseUrl: _url, dataFolder: _folder, ...settings } = config
    await add('settings.json', JSON.stringify(settings, null, 2))
    const classes = await listClassRows(snapshot)
    await add('classes.json', JSON.stringify(classes))
    const sequences = await snapshot.query(sql`
      select sequencename as name, last_value::text as value from pg_sequences
      where schemaname = 'countersign' and last_value is not null`)
    await add('sequences.json', JSON.stringify(sequences))
    const manifest: Manifest = { tables: {}, files: 0, missing: [], sha256: '' }
    for (const table of await listTables(snapshot, classes)) {
      manifest.tables[`${table.schema}.${table.name}`] = await addTable(snapshot, table, add)
    }
    for (const { name, size, store } of await listFiles(snapshot)) {
      const content = await firstByte(getStore({ config, db }, store).read(name, { start: 0, end: size - 1 }))
      if (content === undefined) manifest.missing.push(name)
      else {
        await addStream(`files/${name}`, size, content)
        manifest.files++
      }
    }
    manifest.sha256 = hash.digest('hex')
    const text = Buffer.from(JSON.stringify(manifest))
    await put('manifest.json', text.length, once(text))
  } finally {
    if (!given) await snapshot.close()
  }
}

/**
 * Runs `make` on a snapshot. With `holdWrites`, nobody writes until it has ended: nothing that was acknowledged by then
 * is missing.
 */
export async function withSnapshot(
  db: Database,
  holdWrites: boolean,
  make: (snapshot: Snapshot) => Promise<void>,
): Promise<void> {
  const snapshot = await db.snapshot({ holdWrites })
  try {
    await make(snapshot)
  } finally {
    await snapshot.close()
  }
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

/** Rows as JSON, a line each, as the database itself writes them: nothing is lost on the way through JavaScript. */
async function addTable(
  snapshot: Snapshot,
  { schema, name, place: from, columns, orderBy }: Table,
  add: (name: string, text: string) => Promise<void>,
): Promise<number> {
  const place = `tables/${schema}.${name}`
  await add(`${place}/columns.json`, JSON.stringify(columns))
  // Without "offset 0" a table that is spread over several servers returns f1, f2 … in place of the columns' names.
  const order = orderBy.map((column) => sql`(t.${sql.id(column)} is not null)`)
  await snapshot.query(sql`
    declare backup no scroll cursor for select row_to_json(t.*)::text as row from (
      select ${sql.join(columns.map((column) => sql.id(column)))} from ${sql.id(from)}.${sql.id(name)} offset 0
    ) t ${orderBy.length > 0 ? sql`order by ${sql.join(order)}` : sql``}`)
  let [rows, part, bytes] = [0, 0, 0]
  let lines: string[] = []
  const flush = async () => {
    await add(`${place}/${String(++part).padStart(8, '0')}.ndjson`, lines.join('\n'))
    lines = []
    bytes = 0
  }
  for (;;) {
    const found = await snapshot.query<{ row: string }>(sql`fetch ${sql.raw(fetchRows)} from backup`)
    for (const { row } of found) {
      lines.push(row)
      bytes += row.length
    }
    rows += found.length
    if (bytes >= entryBytes) await flush()
    if (found.length < fetchRows) break
  }
  if (lines.length > 0) await flush()
  await snapshot.query(sql`close backup`)
  return rows
}

/** Lists the stored files. Files in the database are part of its tables. */
function listFiles(snapshot: Snapshot): Promise<{ name: string; size: number; store: StoreName }[]> {
  return snapshot.query(sql`
    select name, size::float8 as size, store from countersign.files
    where digest is not null and store <> 'database'
    order by name`)
}

/** Content whose first byte can be read; undefined if it was deleted since the snapshot. */
async function firstByte(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Buffer> | undefined> {
  const iterator = content[Symbol.asyncIterator]()
  const first = await iterator.next().catch(() => undefined)
  if (first === undefined) return undefined
  return (async function* () {
    for (let next = first; !next.done; next = await iterator.next()) yield Buffer.from(next.value)
  })()
}
