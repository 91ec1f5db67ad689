import { applySteps, type ClassStep, lockClass } from '../classes/applySteps.ts'
import { type ClassRow, type ClassSchema, decodeClass } from '../classes/ClassSchema.ts'
import { findLayout } from '../classes/partitions/Layout.ts'
import { addMonthsOf } from '../classes/partitions/writeTable.ts'
import { startOf } from '../classes/systemFields.ts'
import type { Database } from '../db/Database.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { BackupError } from './encryption.ts'
import { listTables, type Table } from './tables.ts'

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
  /** Tables that take rows, by their names in the backup. */
  let known = new Map<string, Table>()

  async function disableTriggers(): Promise<void> {
    const tables = await listTables(db, classes)
    known = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]))
    await switchTriggers(sql`disable`)
    // Making the classes was audited; the log of the backup takes its place.
    if (known.has('countersign.audit')) await db.query(sql`delete from countersign.audit`)
  }

  /** Distributed tables have no triggers. */
  async function switchTriggers(how: Fragment): Promise<void> {
    for (const table of known.values()) {
      if (table.place === table.schema) await db.query(sql`alter table ${tableAt(table)} ${how} trigger user`)
    }
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
      const found = known.get(place)
      if (!found) throw new BackupError(`The backup contains an unknown table: ${place}`)
      if (isColumns) {
        columnsOf.set(place, JSON.parse(content.toString()) as string[])
        loaded.set(place, 0)
        return
      }
      const columns = columnsOf.get(place)
      if (!columns) throw new BackupError(`The backup is damaged: rows of ${place} have no columns.`)
      const names = sql.join(columns.map((column) => sql.id(column)))
      const target = tableAt(found)
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
        const table = known.get(place)
        const [found] = table
          ? await db.query<{ count: number }>(sql`select count(*)::float8 as count from ${tableAt(table)}`)
          : []
        if (loaded.get(place) !== rows || found?.count !== rows) {
          throw new BackupError(`The backup is damaged: ${place} had ${rows} rows, but ${found?.count} were restored.`)
        }
      }
    },
    async finish() {
      await switchTriggers(sql`enable`)
      for (const row of classes) await makeIndexes(db, decodeClass(row))
    },
  }
}

const tableAt = ({ place, name }: Table): Fragment => sql`${sql.id(place)}.${sql.id(name)}`

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
