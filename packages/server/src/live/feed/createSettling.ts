import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'

/** Time (ms) that a write may take to reach its worker. */
const patience = 5_000

/**
 * Returns a wait for every write to a distributed class that the log shows: until it has reached the workers. The
 * coordinator commits its log first, so for some milliseconds a query would miss an object whose change is before the
 * reader's position. A write to a frozen worker does not end: it would stop the live queries of every class, so it is
 * given up.
 */
export function createSettling(db: Database, log: Logger): () => Promise<void> {
  const givenUp = new Set<string>()
  return async () => {
    const first = await listOpen(db)
    for (const write of givenUp) if (!first.includes(write)) givenUp.delete(write)
    // Later ones are not in the log that was read: under load there is always one.
    let waiting = first.filter((write) => !givenUp.has(write))
    const end = performance.now() + patience
    while (waiting.length > 0) {
      if (performance.now() > end) {
        for (const write of waiting) givenUp.add(write)
        return log.warn({ writes: waiting.length }, 'a worker of Citus does not end writes; live queries go on without')
      }
      await pause(1)
      const open = await listOpen(db)
      waiting = waiting.filter((write) => open.includes(write))
    }
  }
}

/** Writes whose transaction still has its locks, but no number any more. */
async function listOpen(db: Database): Promise<string[]> {
  const rows = await db.query<{ write: string }>(sql`
    select a.pid || ' ' || a.xact_start as write from pg_locks w
    join pg_locks t on t.pid = w.pid and t.locktype = 'transactionid' and t.mode = 'ExclusiveLock' and t.granted
    join pg_stat_activity a on a.pid = w.pid and a.backend_xid is null
    where w.locktype = 'advisory' and w.granted and w.objsubid = 2
      and w.database = (select oid from pg_database where datname = current_database())
      and w.classid::bigint = hashtext('countersign:write')::bigint & 4294967295`)
  return rows.map(({ write }) => write)
}
