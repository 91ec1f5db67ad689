import { applySteps, type ClassStep, lockClass } from '../classes/applySteps.ts'
import { type ClassRow, type ClassSchema, decodeClass } from '../classes/ClassSchema.ts'
import { findLayout } from '../classes/partitions/Layout.ts'
import { addMonthsOf } from '../classes/partitions/writeTable.ts'
import { startOf } from '../classes/systemFields.ts'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { BackupError } from './encryption.ts'
import { listTables } from './tables.ts'

export type TablePart = { schema: string; table: string; isColumns: boolean; content: Buffer }

export type RestoredTables = {
  /** Number of rows that came over, by table. */
  loaded: ReadonlyMap<string, number>
  /** Makes the classes. Only their tables, and those of the server, take rows afterwards. */
  open(classes: ClassRow[]): Promise<void>
  put(part: TablePart): Promise<void>
  /** Throws if a table has another number of rows than the manifest says. */
  check(expected: Readonly<Record<string, number>>): Promise<void>
  /** Enables the triggers again and makes the indexes of the classes. */
  finish(): Promise<void>
}

/** The tables of a backup, on their way into an empty database. */
export function restoreTables(db: Database): RestoredTables {
  const loaded = new Map<string, number>()
  const columnsOf = new Map<string, string[]>()
  let classes: ClassRow[] = []
  let known = new Set<string>()

  async function disableTriggers(): Promise<void> {
    const tables = await listTables(db, classes)
    known = new Set(tables.map(({ schema, name }) => `${schema}.${name}`))
    for (const { schema, name } of tables) {
      await db.query(sql`alter table ${sql.id(schema)}.${sql.id(name)} disable trigger user`)
    }
    // Making the classes was audited; the log of the backup takes its place.
    if (known.has('countersign.audit')) await db.query(sql`delete from countersign.audit`)
  }

  return {
    loaded,
    async open(rows) {
      classes = rows
      for (const row of classes) await makeClass(db, decodeClass(row))
      await disableTriggers()
    },
    async put({ schema, table, isColumns, content }) {
      const place = `${schema}.${table}`
      if (!known.has(place)) throw new BackupError(`The backup contains an unknown table: ${place}`)
      if (isColumns) {
        columnsOf.set(place, JSON.parse(content.toString()) as string[])
        loaded.set(place, 0)
        return
      }
      const columns = columnsOf.get(place)
      if (!columns) throw new BackupError(`The backup is damaged: rows of ${place} have no columns.`)
      const names = sql.join(columns.map((column) => sql.id(column)))
      const target = sql`${sql.id(schema)}.${sql.id(table)}`
      const list = `[${content.toString().replaceAll('\n', ',')}]`
      if (schema === 'public' && (await findLayout(db, table))?.by === 'month') {
        const rows = JSON.parse(list) as { createdAt?: string }[]
        await addMonthsOf(db, table, [...new Set(rows.map(({ createdAt }) => createdAt))])
      }
      const [put] = await db.query<{ count: number }>(sql`
        with put as (
          insert into ${target} (${names}) overriding system value
          select ${names} from json_populate_recordset(null::${target}, ${list}::json) returning 1
        ) select count(*)::integer as count from put`)
      loaded.set(place, (loaded.get(place) ?? 0) + (put?.count ?? 0))
    },
    async check(expected) {
      for (const [place, rows] of Object.entries(expected)) {
        const [found] = await db.query<{ count: number }>(sql`select count(*)::float8 as count from ${tableAt(place)}`)
        if (loaded.get(place) !== rows || found?.count !== rows) {
          throw new BackupError(`The backup is damaged: ${place} had ${rows} rows, but ${found?.count} were restored.`)
        }
      }
    },
    async finish() {
      for (const place of known) await db.query(sql`alter table ${tableAt(place)} enable trigger user`)
      for (const row of classes) await makeIndexes(db, decodeClass(row))
    },
  }
}

function tableAt(place: string) {
  const dot = place.indexOf('.')
  return sql`${sql.id(place.slice(0, dot))}.${sql.id(place.slice(dot + 1))}`
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
