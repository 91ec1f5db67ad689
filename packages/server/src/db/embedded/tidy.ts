import type { Statement } from '../Database.ts'

type Query = <Row>(statement: Statement) => Promise<Row[]>

type Options = {
  /** How many bytes of log may lie between two checkpoints. */
  logBytes: number
}

/**
 * What PostgreSQL's background processes do elsewhere: a single process has none of them. Without it the log grows
 * for as long as the server runs, and rows that were updated or deleted keep their place for ever.
 */
export const tidy = async (query: Query, { logBytes }: Options): Promise<void> => {
  const [log] = await query<{ bytes: number }>({
    text: `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int8 as bytes from pg_control_checkpoint()`,
  })
  if (log && log.bytes > logBytes) await query({ text: 'checkpoint' })

  // The thresholds of PostgreSQL's own autovacuum.
  const tables = await query<{ name: string; vacuum: boolean }>({
    text: `
      select format('%I.%I', s.schemaname, s.relname) as name, s.n_dead_tup > 50 + 0.2 * c.reltuples as vacuum
      from pg_stat_all_tables s join pg_class c on c.oid = s.relid
      where s.schemaname <> 'pg_toast' and c.relpersistence = 'p'
        and (s.n_dead_tup > 50 + 0.2 * c.reltuples or s.n_mod_since_analyze > 50 + 0.1 * c.reltuples)`,
  })
  for (const { name, vacuum } of tables) await query({ text: `${vacuum ? 'vacuum (analyze)' : 'analyze'} ${name}` })
}
