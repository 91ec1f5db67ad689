import { createHash } from 'node:crypto'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import { type Change, encodeSnapshot, type LoggedRow, type Mark, readSnapshot } from './Feed.ts'
import { fingerprint, type Witness } from './witness.ts'

/** Range between two marks, minus the part read before. */
export type Span = {
  low: Mark
  /** End of the range. Default: everything visible now. */
  high?: Mark | undefined
  /** The number of the last change of the span that was read before. */
  after?: number | undefined
  /** The number of the last change that is wanted. */
  upTo?: number | undefined
  classNames: readonly string[]
  /** Asks for witnesses of the whole span. */
  isWitnessed?: boolean
}

export type Page = {
  changes: Change[]
  /** True if the span continues after this page. */
  more: boolean
  /** Current snapshot. */
  now: Mark
  /** Name of the history that the log belongs to. */
  history: string
  /** True if the log belongs to another history of the database, or the database was restarted since. */
  foreign: boolean
  /** Changes of earlier transactions are gone. */
  keptFrom: number
  /** One change of each transaction that the span adds, of any class; of a long span the newest. */
  witnesses: Witness[]
}

type Row = {
  incarnation: string
  known: string
  nonce: string
  isSameRun: boolean
  keptFrom: number
  snapshot: string
  last: number
  count: number
  changes: [id: number, className: string, at: number, before: LoggedRow | null, after: LoggedRow | null][] | null
  witnesses: [id: number, xid: number, print: string][] | null
}

const mostChanges = 500

/** Changes among which witnesses are looked for. */
const mostWitnessed = 1_000

/** As stored, which is about what it is on the wire, since the log is not packed. One change may be larger than that and then goes alone. */
const mostBytes = 4_000_000

/** Reads in one statement, so that what is found and what it is measured by belong together. */
export async function readPage(db: Database, { low, high, after, upTo, classNames, isWitnessed }: Span): Promise<Page> {
  const last = sql.param(low.last)
  const snapshot = sql.param(high ? encodeSnapshot(high) : null)
  const from = sql.param(after ?? 0)
  const most = sql.raw(mostChanges + 1)
  // In three arms, each along an index: what was under way at the low mark, what began since, and what is new altogether.
  // The numbers in an arm's own conditions are kept from the other index by the addition of nothing.
  const wanted = sql`class_name = any(${sql.param(classNames)})
    and id + 0 > ${from} and id + 0 <= ${sql.param(upTo ?? Number.MAX_SAFE_INTEGER)}
    and (${snapshot}::pg_snapshot is null
      or (pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot) and id + 0 <= ${sql.param(high?.last ?? 0)}))`
  const isOpen = sql`${from}::bigint < ${last}::bigint and id + 0 <= ${last}`
  const isAsked = sql`${isWitnessed ?? false}::boolean`
  const [row] = await db.query<Row>(sql.named('read changes')`
    with found as (
      (select * from countersign.changes
        where ${isOpen} and xid = any(${low.underWay.map(String)}::xid8[]) and ${wanted})
      union all
      (select * from countersign.changes where ${isOpen} and xid >= ${String(low.xmax)}::xid8 and ${wanted})
      union all
      (select * from countersign.changes where id > greatest(${last}, ${from}) and ${wanted} order by id limit ${most})
    ), first as (
      select *, sum(coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(after), 0)) over earlier as ahead
      from found
      window earlier as (order by id rows between unbounded preceding and 1 preceding)
      order by id
      limit ${most}
    ), page as (
      select * from first
      where coalesce(ahead, 0) < ${sql.raw(mostBytes)}
      order by id
      limit ${sql.raw(mostChanges)}
    ), added as (
      (select * from countersign.changes
        where ${isAsked} and ${isOpen} and xid = any(${low.underWay.map(String)}::xid8[]))
      union all
      (select * from countersign.changes where ${isAsked} and ${isOpen} and xid >= ${String(low.xmax)}::xid8)
      union all
      (select * from countersign.changes where ${isAsked} and id > ${last} order by id desc limit ${sql.raw(mostWitnessed)})
    ), witnesses as (
      select distinct on (xid) id, xid, ${fingerprint} as print from added order by xid, id desc
    )
    select countersign.incarnation() as incarnation, state.incarnation as known, state.nonce,
      state.run = countersign.live_run() as "isSameRun",
      state.kept_from::text::bigint as "keptFrom", pg_current_snapshot()::text as snapshot,
      coalesce((select max(id) from countersign.changes), 0) as last, (select count(*) from first) as count,
      (
        select json_agg(
          json_build_array(id, class_name, floor(extract(epoch from at) * 1000), before, after) order by id)
        from page
      ) as changes,
      (select json_agg(json_build_array(id, xid::text::bigint, print)) from witnesses) as witnesses
    from countersign.live_state state`)
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
    history: nameHistory(row.known, row.nonce),
    // Not every database identifies itself; a log that begins in the future must be another's.
    foreign: row.incarnation !== row.known || !row.isSameRun || row.keptFrom > now.xmax,
    keptFrom: row.keptFrom,
    witnesses: (row.witnesses ?? []).map(([id, xid, print]) => ({ id, xid, print })),
  }
}

/** Name of a history in a position. */
export function nameHistory(incarnation: string, nonce: string): string {
  return createHash('sha256').update(`${incarnation}/${nonce}`).digest('base64url').slice(0, 8)
}
