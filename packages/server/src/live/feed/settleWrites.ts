import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'

/**
 * Ends once every write to a distributed class that the log shows has reached the workers. The coordinator commits its
 * log first, so for some milliseconds a query would miss an object whose change is before the reader's position.
 * Such a transaction still has its locks, but no number any more.
 */
export async function settleWrites(db: Database): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ open: boolean }>(sql`
      select exists (
        select from pg_locks w
        join pg_locks t on t.pid = w.pid and t.locktype = 'transactionid' and t.mode = 'ExclusiveLock' and t.granted
        join pg_stat_activity a on a.pid = w.pid and a.backend_xid is null
        where w.locktype = 'advisory' and w.granted and w.objsubid = 2
          and w.database = (select oid from pg_database where datname = current_database())
          and w.classid::bigint = hashtext('countersign:write')::bigint & 4294967295
      ) as open`)
    if (!row?.open) return
    await pause(1)
  }
}
