import type { Logger } from 'pino'
import type { Database } from '../../db/Database.ts'

type Parts = { db: Database; log: Logger; retention: number }

const step = 2_000
const mostSteps = 50

/** Clears away what is older than the retention, and stops recording what nobody has watched for as long. */
export async function sweepChanges({ db, log, retention }: Parts): Promise<void> {
  await raiseFloor(db, retention)
  for (let steps = 0; steps < mostSteps; steps++) {
    const gone = await db.query({
      text: `delete from countersign.changes where id in (
               select id from countersign.changes where xid < (select kept_from from countersign.live_state)
               order by xid limit ${step} for update skip locked
             ) returning 1`,
    })
    if (gone.length < step) break
  }
  const unwanted = await db.query<{ name: string }>({
    text: 'select class_name as name from countersign.live_classes where wanted_until < clock_timestamp()',
  })
  for (const { name } of unwanted) {
    await db
      .transaction(async () => {
        // Whoever reads or writes the class would wait behind us; there will be a better moment.
        await db.query({ text: `set local lock_timeout = '50ms'` })
        await db.query({ text: 'select countersign.forget_class($1)', values: [name] })
      })
      .catch((error) => log.debug({ err: error, class: name }, 'a class is recorded a while longer'))
  }
}

/**
 * A change is as old as its commit, which may be long after it was written. So it is noted now and then which
 * transactions had ended; what lies before a note that is old enough can go.
 */
async function raiseFloor(db: Database, retention: number): Promise<void> {
  await db.transaction(async () => {
    const [turn] = await db.query<{ mine: boolean }>({
      text: `select pg_try_advisory_xact_lock(hashtext('countersign:live'), 0) and (
               exists (select from countersign.live_classes) or exists (select from countersign.changes)
             ) as mine`,
    })
    if (!turn?.mine) return
    await db.query({
      text: `insert into countersign.live_marks (before)
             select pg_snapshot_xmin(pg_current_snapshot()) where not exists (
               select from countersign.live_marks where at > clock_timestamp() - $1 * interval '1 millisecond'
             )`,
      values: [retention / 20],
    })
    await db.query({
      text: `with old as (
               delete from countersign.live_marks where at < clock_timestamp() - $1 * interval '1 millisecond'
               returning before
             )
             update countersign.live_state set kept_from = greatest(kept_from, (select max(before) from old))
             where exists (select from old)`,
      values: [retention],
    })
  })
}
