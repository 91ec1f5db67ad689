import { ConfigError } from '../../config/ConfigError.ts'
import type { Database } from '../../db/Database.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { needCitus } from './Layout.ts'

/** Functions in the statements of documents, which run on the workers. */
const usedOnWorkers = [
  'bounded',
  'fold_text',
  'json_increment',
  'json_list',
  'json_put',
  'list_add_unique',
  'list_remove',
  'list_within',
  'present_list',
  'some_pointer',
  'some_value',
]

/**
 * Spreads an empty table over the workers, in shards of its own: moving or dropping those of one class concerns no
 * other class.
 */
export async function spreadTable(db: Database, table: Fragment, shards: number): Promise<void> {
  await prepareCluster(db)
  await runInTurn(db)
  await db.query(sql`
    select create_distributed_table('${table}', 'objectId', shard_count := ${shards}::integer, colocate_with := 'none')`)
}

/** Citus changes the shards of a table one after another: at once it would need connections that cannot see each other. */
export async function runInTurn(db: Database): Promise<void> {
  await db.query(sql`set local citus.multi_shard_modify_mode = 'sequential'`)
}

/** Gives the cluster what statements on a distributed class need. Each part is there at most once. */
async function prepareCluster(db: Database): Promise<void> {
  await needCitus(db)
  const [cluster] = await db.query<{ workers: number; twoPhase: boolean }>(sql`
    select
      (select count(*)::integer from pg_catalog.pg_dist_node where isactive and shouldhaveshards) as workers,
      exists (
        select from pg_catalog.pg_dist_partition where logicalrelid = 'countersign.two_phase'::regclass
      ) as "twoPhase"`)
  if (!cluster?.workers) {
    throw new ConfigError(
      'The Citus cluster has no worker that takes shards. Add one: select citus_add_node(host, port).',
    )
  }
  if (!cluster.twoPhase) await db.query(sql`select citus_add_local_table_to_metadata('countersign.two_phase')`)
  await db.query(sql`
    select create_distributed_function(p.oid::regprocedure)
    from pg_proc p
    where p.pronamespace = 'countersign'::regnamespace and p.proname = any(${usedOnWorkers}::text[])
      and not exists (
        select from pg_catalog.pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)`)
}
