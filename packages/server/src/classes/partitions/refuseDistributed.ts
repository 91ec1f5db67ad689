import { ConfigError } from '../../config/ConfigError.ts'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'

/** Tables of the server that Citus keeps on other machines. Tables that are only in its catalog are local and work. */
export async function listDistributed(db: Pick<Database, 'query'>): Promise<string[]> {
  const [there] = await db.query<{ catalog: string | null }>(
    sql`select to_regclass('pg_catalog.pg_dist_partition')::text as catalog`,
  )
  if (!there?.catalog) return []
  const rows = await db.query<{ name: string }>(sql`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_catalog.pg_dist_partition d
    join pg_class c on c.oid = d.logicalrelid
    join pg_namespace n on n.oid = c.relnamespace
    left join countersign.classes k on k."className" = coalesce(
      (select relname from pg_class where oid = pg_partition_root(c.oid)), c.relname)
    where (n.nspname in ('countersign', 'countersign_parts') or k."className" is not null or c.relname like '\\_Join:%')
      and not (d.partmethod = 'n' and d.repmodel = 's' and d.colocationid = 0)
    order by 1`)
  return rows.map(({ name }) => name)
}

/**
 * Refuses to work on distributed tables: some queries return wrong results there without an error, and no trigger
 * reports changes.
 */
export async function refuseDistributed(db: Pick<Database, 'query'>): Promise<void> {
  const names = await listDistributed(db)
  const [first] = names
  if (first === undefined) return
  throw new ConfigError(
    `Citus has distributed ${names.slice(0, 10).join(', ')}. Countersign does not support that: some queries would ` +
      'return wrong results without an error, and changes would reach neither live queries nor webhooks. Make each ' +
      `table local again: select undistribute_table('${first}'). To divide a large class on one PostgreSQL, use the ` +
      'setting partition. See docs/scaling.md.',
  )
}
