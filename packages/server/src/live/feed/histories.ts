import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import { covers, encodeMark, type LogPosition, type Mark, parseMark } from './Feed.ts'
import { nameHistory } from './readPage.ts'

type State = { known: string; nonce: string; incarnation: string; isAhead: boolean }

const timeline = /^(\d+)-[0-9A-F]{8}$/

/**
 * Gives the log a new name after the database was promoted or restored. The log of a promoted standby stays. That of a
 * dump that was restored elsewhere is dropped: its transaction numbers would look like future ones.
 */
export async function adoptDatabase(db: Database): Promise<void> {
  await db.transaction(async () => {
    const state = await lockState(db)
    if (state.known === state.incarnation && !state.isAhead) return
    await rename(db)
    if (isPromoted(state)) return
    await db.query(sql`update countersign.live_state set kept_from = pg_snapshot_xmin(pg_current_snapshot())`)
    await db.query(sql`delete from countersign.changes`)
    await db.query(sql`delete from countersign.live_marks`)
    await db.query(sql`delete from countersign.live_continued`)
    await db.query(sql`update countersign.live_classes set since = pg_current_xact_id()`)
  })
}

function isPromoted({ known, incarnation, isAhead }: State): boolean {
  const [before, now] = [timeline.exec(known), timeline.exec(incarnation)]
  return before !== null && now !== null && before[1] === now[1] && !isAhead
}

async function lockState(db: Database): Promise<State> {
  const [state] = await db.query<State>(sql`
    select incarnation as known, nonce, countersign.incarnation() as incarnation,
      kept_from > pg_snapshot_xmax(pg_current_snapshot()) as "isAhead"
    from countersign.live_state
    for update`)
  if (!state) throw new Error('countersign.live_state is empty.')
  return state
}

async function rename(db: Database): Promise<void> {
  await db.query(
    sql`update countersign.live_state set incarnation = countersign.incarnation(), nonce = gen_random_uuid()::text`,
  )
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
