import type { Database } from '../../db/Database.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { type ClassSchema, tableOf } from '../ClassSchema.ts'
import { joinTableName } from '../names.ts'
import { notesOf } from './abandonMove.ts'
import { beginDistributed } from './limitDistributed.ts'

export type LoggedWrite = {
  /** Objects that the statement may change. */
  ids: readonly string[]
  /** The objects are created by the statement. */
  isNew?: boolean
  /** True if the transaction also changes local tables, such as those of relations. */
  withOthers?: boolean
}

/**
 * Runs work that changes objects of a class. Triggers log the changes of a local class. For a distributed one this does,
 * in the transaction of the work: triggers would run on the workers, which have no log.
 */
export async function withLog<Result>(
  db: Database,
  schema: ClassSchema,
  { ids, isNew = false, withOthers = false }: LoggedWrite,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!schema.distributed) return work()
  const isPart = db.inside() || withOthers || ids.length > 1
  return takeTurn(db, schema.className, async () => {
    const [row] = await db.query<{ watched: boolean }>(
      sql`select countersign.begin_write(${schema.className}, ${notesOf(schema.className)}, ${isPart}) as watched`,
    )
    if (!row?.watched) return work()
    const before = isNew ? '[]' : await readRows(db, schema, ids, true)
    const result = await work()
    const after = await readRows(db, schema, ids, false)
    await db.query(sql`
      select countersign.log_write(
        ${schema.className}, ${before}::jsonb, ${after}::jsonb, ${notesOf(schema.className)})`)
    return result
  })
}

const turnTaken = 'distributed'

/** Does the work in a transaction, the open one or its own, that has a turn among the writes of distributed classes. */
async function takeTurn<Result>(db: Database, className: string, work: () => Promise<Result>): Promise<Result> {
  if (!db.inside()) {
    const end = await beginDistributed(db, className, 'alone')
    return db.transaction(work).finally(end)
  }
  if (!db.hasEnd(turnTaken)) db.atEnd(turnTaken, await beginDistributed(db, className, 'inTransaction'))
  return db.transaction(work)
}

/** The rows as a list in JSON, as the database wrote them. `lock` keeps others from changing them until the transaction ends. */
async function readRows(db: Database, schema: ClassSchema, ids: readonly string[], lock: boolean): Promise<string> {
  const table = tableOf(schema)
  const [id] = ids
  if (ids.length === 1) {
    const rows = await db.query<{ row: string }>(sql`
      select to_jsonb(o.*)::text as row from ${table} o where "objectId" = ${id}${lock ? sql` for update` : sql``}`)
    return listOf(rows)
  }
  const chosen = sql`"objectId" = any(${ids}::text[])`
  // Citus locks rows of several shards only in an update.
  if (lock) await db.query(sql`update ${table} set "updatedAt" = "updatedAt" where ${chosen}`)
  const rows = await db.query<{ row: string }>(sql`select to_jsonb(o.*)::text as row from ${table} o where ${chosen}`)
  return listOf(rows)
}

const listOf = (rows: { row: string }[]) => `[${rows.map(({ row }) => row).join(',')}]`

/** Removes the relations of deleted objects of a distributed class, to which nothing local can refer. */
export async function dropRelated(db: Database, schema: ClassSchema, ids: readonly string[]): Promise<void> {
  for (const field of schema.relations.keys()) {
    await db.query(sql`
      delete from ${sql.table(joinTableName(schema.className, field))} where "owningId" = any(${ids}::text[])`)
  }
}

/** Objects whose changes are read and logged at once. */
const page = 1_000

/** Runs work on all objects of a distributed class that meet the condition, a page of ids at a time. */
export async function changeAll(
  db: Database,
  schema: ClassSchema,
  condition: Fragment,
  work: (ids: readonly string[]) => Promise<unknown>,
): Promise<void> {
  await db.transaction(async () => {
    for (let last = ''; ; ) {
      const rows = await db.query<{ objectId: string }>(sql`
        select "objectId" from ${tableOf(schema)} where "objectId" > ${last} and (${condition})
        order by "objectId" limit ${page}`)
      const ids = rows.map(({ objectId }) => objectId)
      if (ids.length > 0) await withLog(db, schema, { ids }, () => work(ids))
      if (ids.length < page) return
      last = ids.at(-1) ?? ''
    }
  })
}
