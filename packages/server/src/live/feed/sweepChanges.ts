import type { Logger } from 'pino'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'

type Parts = { db: Database; log: Logger; retention: number }

const step = 2_000
const mostSteps = 50

/** Deletes changes older than the retention, and stops recording classes unwatched for as long. */
export async function sweepChanges({ db, log, retention }: Parts): Promise<void> {
  const [state] = await db.query<{
    idle: boolean
    unwanted: string[]
  }>(sql`
    select
      not exists (select from countersign.live_classes) and not exists (select from countersign.changes) as idle,
      array(select class_name from countersign.live_classes where wanted_until < clock_timestamp()) as unwanted`)
  if (!state || state.idle) return
  await raiseFloor(db, retention)
  for (let steps = 0; steps < mostSteps; steps++) {
    const gone = await db.query(sql`
      delete from countersign.changes
      where id in (
        select id from countersign.changes
        where xid < (select kept_from from countersign.live_state)
        order by xid
        limit ${step}
        for update skip locked
      )
      returning 1`)
    if (gone.length < step) break
  }
  await db.query(sql`
    delete from countersign.live_continued where at < clock_timestamp() - ${retention} * interval '1 millisecond'`)
  for (const name of state.unwanted) {
    await db
      .transaction(async () => {
        // A reader or writer of the class would wait behind us; there will be a better moment.
        await db.query(sql`set local lock_timeout = '50ms'`)
        await db.query(sql`select countersign.forget_class(${name})`)
      })
      .catch((error) => log.debug({ err: error, class: name }, 'recording of a class continues for a while'))
  }
}

/**
 * A change is as old as its commit, which may be long after it was written. So it is noted now and then which
 * transactions had ended; what lies before a note that is old enough can go. One server at a time does so.
 */
async function raiseFloor(db: Database, retention: number): Promise<void> {
  const age = sql`${retention} * interval '1 millisecond'`
  await db.query(sql`
    with turn as materialized (
      select pg_try_advisory_xact_lock(hashtext('countersign:live'), 0) as mine
    ), noted as (
      insert into countersign.live_marks (before, nonce)
      select pg_snapshot_xmin(pg_current_snapshot()),
        (select nonce from countersign.live_state where run = countersign.live_run())
      from turn
      where mine and not exists (select from countersign.live_marks where at > clock_timestamp() - ${age} / 20)
    ), old as (
      delete from countersign.live_marks using turn
      where mine and at < clock_timestamp() - ${age}
      returning before
    )
    update countersign.live_state set kept_from = greatest(kept_from, (select max(before) from old))
    from turn
    where mine and exists (select from old)`)
}
