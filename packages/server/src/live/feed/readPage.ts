import { createHash } from 'node:crypto'
import type { Database } from '../../db/Database.ts'
import type { Change, LoggedRow } from './Feed.ts'
import { encodeSnapshot, type Mark, readSnapshot } from './Place.ts'

/** What lies between two marks, without what was read of it already. */
export type Span = {
  low: Mark
  /** Where it ends; unless given, with what can be seen now. */
  high?: Mark | undefined
  /** The number of the last change of the span that was read before. */
  after?: number | undefined
  /** The number of the last change that is wanted. */
  upTo?: number | undefined
  classNames: readonly string[]
}

export type Page = {
  changes: Change[]
  /** Whether the span holds more than this page. */
  more: boolean
  /** What can be seen now. */
  now: Mark
  incarnation: string
  /** Whether the log was written in another history of the database, so that its numbers mean nothing here. */
  foreign: boolean
  /** Changes of earlier transactions are gone. */
  keptFrom: number
}

type Row = {
  incarnation: string
  known: string
  keptFrom: number
  snapshot: string
  last: number
  count: number
  changes: [id: number, className: string, at: number, before: LoggedRow | null, after: LoggedRow | null][] | null
}

const mostChanges = 500
/** As stored, which is smaller than on the wire. One change may be larger than that and then goes alone. */
const mostBytes = 4_000_000

// In three arms, each along an index: what was under way at the low mark, what began since, and what is new altogether.
// The numbers in an arm's own conditions are kept from the other index by the addition of nothing.
const wanted = `class_name = any($1) and id + 0 > $7 and id + 0 <= $8 and
  ($5::pg_snapshot is null or (pg_visible_in_snapshot(xid, $5::pg_snapshot) and id + 0 <= $6))`

const text = `
  with found as (
    (select * from countersign.changes where $7::bigint < $4::bigint and xid = any($3::xid8[]) and id + 0 <= $4 and ${wanted})
    union all
    (select * from countersign.changes where $7::bigint < $4::bigint and xid >= $2::xid8 and id + 0 <= $4 and ${wanted})
    union all
    (select * from countersign.changes where id > greatest($4, $7) and ${wanted} order by id limit ${mostChanges + 1})
  ), first as (
    select *, sum(coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(after), 0)) over earlier as ahead
    from found window earlier as (order by id rows between unbounded preceding and 1 preceding)
    order by id limit ${mostChanges + 1}
  ), page as (
    select * from first where coalesce(ahead, 0) < ${mostBytes} order by id limit ${mostChanges}
  )
  select countersign.incarnation() as incarnation, state.incarnation as known,
    state.kept_from::text::bigint as "keptFrom", pg_current_snapshot()::text as snapshot,
    coalesce((select max(id) from countersign.changes), 0) as last, (select count(*) from first) as count,
    (select json_agg(json_build_array(id, class_name, floor(extract(epoch from at) * 1000), before, after) order by id)
     from page) as changes
  from countersign.live_state state`

/** Reads in one statement, so that what is found and what it is measured by belong together. */
export async function readPage(db: Database, { low, high, after, upTo, classNames }: Span): Promise<Page> {
  const values = [
    classNames,
    String(low.xmax),
    low.underWay.map(String),
    low.last,
    high ? encodeSnapshot(high) : null,
    high?.last ?? 0,
    after ?? 0,
    upTo ?? Number.MAX_SAFE_INTEGER,
  ]
  const [row] = await db.query<Row>({ name: 'read changes', text, values })
  if (!row) throw new Error('countersign.live_state is empty.')
  const changes = (row.changes ?? []).map(
    ([id, className, at, before, after]): Change => ({
      id: String(id),
      className,
      at,
      ...(before && { before }),
      ...(after && { after }),
    }),
  )
  // Numbers never go back, though the changes that bore them may have been cleared away.
  const now = readSnapshot(row.snapshot, Math.max(row.last, low.last, high?.last ?? 0))
  return {
    changes,
    more: row.count > changes.length,
    now,
    incarnation: shorten(row.incarnation),
    // Not every database says which it is; that what is kept begins in the future can only be said of another's log.
    foreign: row.incarnation !== row.known || row.keptFrom > now.xmax,
    keptFrom: row.keptFrom,
  }
}

function shorten(incarnation: string): string {
  return createHash('sha256').update(incarnation).digest('base64url').slice(0, 8)
}
