import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import { shardsOf } from '../ClassSchema.ts'

/**
 * Creates the view by which people read a distributed class in SQL, under the name that its table had. It refuses
 * writes, with the error for a missing table: they would miss the log.
 */
export async function createReadView(db: Database, className: string): Promise<void> {
  const view = sql.table(className)
  // The workers need no view.
  await db.query(sql`set local citus.enable_ddl_propagation = off`)
  await db.query(sql`create view ${view} as select * from ${shardsOf(className)}`)
  await db.query(sql`
    create trigger countersign_read_only instead of insert or update or delete on ${view} for each row
    execute function countersign.refuse_write()`)
  await db.query(sql`set local citus.enable_ddl_propagation = on`)
}

/** Before the table changes: a view keeps its columns. */
export async function dropReadView(db: Database, className: string): Promise<void> {
  await db.query(sql`set local citus.enable_ddl_propagation = off`)
  await db.query(sql`drop view if exists ${sql.table(className)}`)
  await db.query(sql`set local citus.enable_ddl_propagation = on`)
}
