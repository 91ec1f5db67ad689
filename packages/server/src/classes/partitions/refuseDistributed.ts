import { ConfigError } from '../../config/ConfigError.ts'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import { hasCitus } from './Layout.ts'

/**
 * Tables of the server that somebody distributed past it. Tables that are only in the catalog of Citus are local and
 * work, and so do the classes that the setting `distribute` has spread, and those that are being copied for it.
 */
export async function listDistributed(db: Pick<Database, 'query'>): Promise<string[]> {
  if (!(await hasCitus(db))) return []
  const rows = await db.query<{ name: string }>(sql`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_catalog.pg_dist_partition d
    join pg_class c on c.oid = d.logicalrelid
    join pg_namespace n on n.oid = c.relnamespace
    left join countersign.classes k on k."className" = coalesce(
      (select relname from pg_class where oid = pg_partition_root(c.oid)), c.relname)
    where n.nspname <> 'countersign_shards'
      and (n.nspname in ('countersign', 'countersign_parts') or k."className" is not null or c.relname like '\\_Join:%')
      and not (d.partmethod = 'n' and d.repmodel = 's' and d.colocationid = 0)
      and not (n.nspname = 'countersign_parts' and exists (
        select from countersign.class_moves m where m.class_name = c.relname and m.layout ->> 'by' = 'shards'))
    order by 1`)
  return rows.map(({ name }) => name)
}

/** Refuses to work on tables that were distributed by hand: no trigger reports their changes. */
export async function refuseDistributed(db: Pick<Database, 'query'>): Promise<void> {
  const names = await listDistributed(db)
  const [first] = names
  if (first === undefined) return
  throw new ConfigError(
    `Citus has distributed ${names.slice(0, 10).join(', ')} without Countersign: changes would reach neither live ` +
      `queries nor webhooks. Make each table local again: select undistribute_table('${first}'). To distribute a ` +
      'class, use the setting distribute and countersign schema distribute. See docs/large-classes.md.',
  )
}
