import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { WireFields, WireValue } from '@countersign/protocol'
import { type ClassRow, type ClassSchema, classColumns, decodeClass, tableOf } from '../classes/ClassSchema.ts'
import { columnNames, decodeRow } from '../classes/decodeRow.ts'
import { joinTableName } from '../classes/names.ts'
import { encodeSchema } from '../classes/schema/encodeSchema.ts'
import type { Config } from '../config/Config.ts'
import type { Database, Snapshot } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { getStore } from '../files/stores/getStore.ts'
import type { StoreName } from '../files/stores/StoreName.ts'
import { TransferError } from './Source.ts'

export type ExportOptions = {
  db: Database
  config: Config
  folder: string
  classes?: string[] | undefined
  files: boolean
}

export type ExportReport = { units: { name: string; count: number }[]; files: number }

type Row = Parameters<typeof decodeRow>[1]

const fetchRows = 500

/**
 * Writes the classes as JSON, one file each, in the form that `countersign import parse-export` reads: all as they are at
 * one moment, and as they are read. Sessions stay out: their tokens are not known here.
 */
export async function exportData({ db, config, folder, classes, files }: ExportOptions): Promise<ExportReport> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const snapshot = await db.snapshot()
  try {
    const rows = await snapshot.query<ClassRow>(
      sql`select ${classColumns} from countersign.classes order by "className"`,
    )
    const all = rows.map(decodeClass).filter(({ className }) => className !== '_Session')
    const wanted = classes ? all.filter(({ className }) => classes.includes(className)) : all
    const unknown = classes?.find((name) => !all.some(({ className }) => className === name))
    if (unknown !== undefined) throw new TransferError(`Class ${unknown} does not exist.`)
    const report: ExportReport = { units: [], files: 0 }
    await writeList(folder, '_SCHEMA', once(wanted.map((schema) => encodeSchema(schema) as WireValue)))
    for (const schema of wanted) {
      const { className, relations } = schema
      report.units.push({ name: className, count: await writeList(folder, className, readClass(snapshot, schema)) })
      for (const field of relations.keys()) {
        const name = `_Join:${field}:${className}`
        report.units.push({ name, count: await writeList(folder, name, readLinks(snapshot, className, field)) })
      }
    }
    if (files) report.files = await writeFiles(snapshot, { db, config }, folder)
    return report
  } finally {
    await snapshot.close()
  }
}

async function* once(rows: WireValue[]): AsyncGenerator<WireValue[]> {
  yield rows
}

async function writeList(folder: string, name: string, pages: AsyncIterable<WireValue[]>): Promise<number> {
  // Colons are no part of a file's name everywhere.
  const file = await open(join(folder, `${name.replaceAll(':', '%3A')}.json`), 'wx', 0o600).catch((error) => {
    if (error.code === 'EEXIST') throw new TransferError(`${folder} already contains an export. Choose another folder.`)
    throw error
  })
  let count = 0
  try {
    await file.writeFile('{"results":[')
    for await (const page of pages) {
      if (page.length === 0) continue
      await file.writeFile(`${count > 0 ? ',\n' : '\n'}${page.map((row) => JSON.stringify(row)).join(',\n')}`)
      count += page.length
    }
    await file.writeFile('\n]}\n')
  } finally {
    await file.close()
  }
  return count
}

async function* readClass(snapshot: Snapshot, schema: ClassSchema): AsyncGenerator<WireValue[]> {
  const { className, relations } = schema
  const isUser = className === '_User'
  const more = isUser
    ? sql`, t."_password_hash", (
      select json_object_agg(w.namespace, w.address) from countersign.wallets w
      where w."user" = t."objectId" and w.is_primary and w.chain_id is null and w.imported is null
    ) as "_wallets"`
    : sql``
  const names = columnNames(schema).map((name) => sql`t.${sql.id(name)}`)
  for await (const rows of fetchAll<Row & { _password_hash?: string; _wallets?: Record<string, string> }>(
    snapshot,
    sql`select ${sql.join(names)}${more} from ${tableOf(schema)} t order by t."objectId"`,
  )) {
    yield rows.map((row) => {
      const object: WireFields = decodeRow(schema, row)
      for (const [name, target] of relations) object[name] = { __type: 'Relation', className: target }
      if (row._password_hash) object._hashed_password = row._password_hash
      const { eip155, solana } = row._wallets ?? {}
      if (eip155 !== undefined || solana !== undefined) {
        object.authData = {
          ...(eip155 !== undefined && { moralisEth: { id: eip155 } }),
          ...(solana !== undefined && { moralisSol: { id: solana } }),
        }
      }
      return object
    })
  }
}

function readLinks(snapshot: Snapshot, className: string, field: string): AsyncGenerator<WireValue[]> {
  return fetchAll<WireFields>(
    snapshot,
    sql`select "owningId", "relatedId" from ${sql.table(joinTableName(className, field))} order by 1, 2`,
  )
}

async function* fetchAll<Found>(snapshot: Snapshot, query: ReturnType<typeof sql>): AsyncGenerator<Found[]> {
  await snapshot.query(sql`declare export no scroll cursor for ${query}`)
  for (;;) {
    const rows = await snapshot.query<Found>(sql`fetch ${sql.raw(fetchRows)} from export`)
    if (rows.length > 0) yield rows
    if (rows.length < fetchRows) break
  }
  await snapshot.query(sql`close export`)
}

async function writeFiles(
  snapshot: Snapshot,
  place: { db: Database; config: Config },
  folder: string,
): Promise<number> {
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
  let count = 0
  for await (const files of fetchAll<{ name: string; size: number; store: StoreName }>(
    snapshot,
    sql`
      select name, size::float8 as size, store from countersign.files
      where digest is not null and original is null
      order by name`,
  )) {
    for (const { name, size, store } of files) {
      const file = await open(join(folder, 'files', name), 'wx', 0o600)
      try {
        const content = getStore(place, store).read(name, { start: 0, end: size - 1 })
        for await (const chunk of content) await file.writeFile(chunk)
        count++
      } finally {
        await file.close()
      }
    }
  }
  return count
}
