import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import { covers, encodeMark, type LogPosition, type Mark, parseMark } from './Feed.ts'
import { nameHistory } from './readPage.ts'

type State = { known: string; nonce: string; incarnation: string; isSameRun: boolean; isAhead: boolean }

const timeline = /^(\d+)-[0-9A-F]{8}$/

/**
 * Gives the log a new name after the database was restarted, copied, promoted or restored: what was committed since may
 * be gone, and its numbers are given out again. The log itself stays, except that of a dump that was restored elsewhere:
 * its transaction numbers would look like future ones.
 */
export async function adoptDatabase(db: Database): Promise<void> {
  await db.transaction(async () => {
    const state = await lockState(db)
    const isSame = state.known === state.incarnation
    if (isSame && state.isSameRun && !state.isAhead) return
    const proven = await findProven(db, state)
    await rename(db)
    if ((isSame || isPromoted(state)) && !state.isAhead) {
      if (proven) await recordContinued(db, nameHistory(state.known, state.nonce), proven)
      return
    }
    await db.query(sql`update countersign.live_state set kept_from = pg_snapshot_xmin(pg_current_snapshot())`)
    await db.query(sql`delete from countersign.changes`)
    await db.query(sql`delete from countersign.live_marks`)
    await db.query(sql`delete from countersign.live_continued`)
    await db.query(sql`update countersign.live_classes set since = pg_current_xact_id()`)
  })
}

function isPromoted({ known, incarnation }: State): boolean {
  const [before, now] = [timeline.exec(known), timeline.exec(incarnation)]
  return before !== null && now !== null && before[1] === now[1]
}

/**
 * Mark up to which the database has everything of its last history. A transaction of that history that is present got
 * its number after every position with a lower end, so nothing of those is lost. The embedded database has one
 * connection: all that it had when it was opened lies before its next number.
 */
async function findProven(db: Database, { nonce }: State): Promise<Mark | undefined> {
  const [row] = await db.query<{ xmax: number | null; last: number }>(sql`
    select greatest(
        (select max(xid)::text::bigint from countersign.live_marks where nonce = ${nonce}),
        nullif(current_setting('countersign.opened_at', true), '')::bigint
      ) as xmax, last_value as last
    from countersign.changes_id_seq`)
  return row?.xmax ? { xmax: row.xmax, underWay: [], last: row.last } : undefined
}

/** Proves to a server that finds this mark after a restart that positions up to now are still good. */
export async function markReached(db: Database): Promise<void> {
  await db.query(sql`
    insert into countersign.live_marks (before, nonce)
    select pg_snapshot_xmin(pg_current_snapshot()), nonce
    from countersign.live_state
    where run = countersign.live_run() and exists (select from countersign.live_classes)
    on conflict do nothing`)
}

async function lockState(db: Database): Promise<State> {
  const [state] = await db.query<State>(sql`
    select incarnation as known, nonce, countersign.incarnation() as incarnation,
      run = countersign.live_run() as "isSameRun",
      kept_from > pg_snapshot_xmax(pg_current_snapshot())
        or exists (select from countersign.changes where xid > pg_snapshot_xmax(pg_current_snapshot())) as "isAhead"
    from countersign.live_state
    for update`)
  if (!state) throw new Error('countersign.live_state is empty.')
  return state
}

async function rename(db: Database): Promise<void> {
  await db.query(sql`
    update countersign.live_state
    set incarnation = countersign.incarnation(), run = countersign.live_run(), nonce = gen_random_uuid()::text`)
}

/** Ends a history that lost changes: no server accepts its positions unless it finds its own part intact. */
export async function endHistory(db: Database, history: string): Promise<void> {
  await db.transaction(async () => {
    const { known, nonce } = await lockState(db)
    if (nameHistory(known, nonce) === history) await rename(db)
  })
}

/** Records that the present history continues another one up to a mark. */
export async function recordContinued(db: Database, history: string, reached: Mark): Promise<void> {
  await db.query(sql`
    insert into countersign.live_continued (history, reached) values (${history}, ${encodeMark(reached)})
    on conflict do nothing`)
}

/** Returns true if everything that a position of an earlier history has seen is part of the present one. */
export async function isContinued(db: Database, { history, low, part }: LogPosition): Promise<boolean> {
  const rows = await db.query<{ reached: string }>(
    sql`select reached from countersign.live_continued where history = ${history}`,
  )
  return rows.some(({ reached }) => {
    const mark = parseMark(reached)
    return mark !== undefined && covers(mark, part?.high ?? low)
  })
}
