import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import { createPoller } from '../../work/createPoller.ts'
import {
  type Change,
  encodeLogPosition,
  encodeMark,
  encodeSnapshot,
  firstMissing,
  type LoggedRow,
  type Mark,
  type Position,
  readSnapshot,
  type WatchedBatch,
} from './Feed.ts'

type Parts = {
  db: Database
  log: Logger
  classNames(): readonly string[]
  /** Makes sure that the classes are recorded; returns true if they had been without a gap. */
  renew(): Promise<boolean>
  handle(batch: WatchedBatch): Promise<void>
}

export type Reader = {
  wake(): void
  /** Ends once all that was committed before the call has been handled. Fails where the database cannot be read. */
  catchUp(): Promise<void>
  /** Asks for the classes to be recorded on; where they have not been, everyone is notified of the gap. */
  renew(): Promise<void>
  current(): Position
  stop(): Promise<void>
}

type Waiting = { resolve(): void; reject(error: unknown): void }

const poll = 500

const pollUnheard = 100

/** Of a burst of commits the first is read at once and the others together. */
const shortestTurn = 3

/** Reads the log to its end whenever woken, and hands it on. Reads nothing while no class is open. */
export async function createReader({ db, log, classNames, renew, handle }: Parts): Promise<Reader> {
  const nowhere: Mark = { xmax: 1, underWay: [], last: 0 }
  let incarnation = ''
  let mark = nowhere
  let place = '' as Position
  /** Of a batch that is being read page by page. */
  let part: { high: Mark; after: number } | undefined
  let resting = true
  let lost = false
  let failing = false
  let waiting: Waiting[] = []

  const standAt = (page: Page) => {
    incarnation = page.incarnation
    mark = page.now
    part = undefined
    place = encodeLogPosition({ incarnation, low: mark })
  }

  /** Moves to the current end of the log without reading it. */
  const jump = async () => {
    let page = await readPage(db, { low: nowhere, classNames: [] })
    if (page.foreign) {
      await resetForeignLog(db)
      page = await readPage(db, { low: nowhere, classNames: [] })
    }
    standAt(page)
  }

  const lose = async () => {
    await renew()
    await jump()
    lost = false
    log.warn('live queries missed changes: the database was replaced, or was unreachable for too long')
    await handle({ gap: true, changes: [], position: () => place, end: place })
  }

  /** Ends with a batch that was cut after the call. One that an earlier turn had to leave is finished first. */
  const readOn = async () => {
    if (lost) return lose()
    for (let fresh = part === undefined; ; fresh ||= part === undefined) {
      const page = await readPage(db, { low: mark, ...part, classNames: classNames() })
      if (page.foreign || page.incarnation !== incarnation || page.keptFrom > firstMissing(mark)) return lose()
      const { changes, more } = page
      const high = part?.high ?? page.now
      const head = `${incarnation}.${encodeMark(mark)}.${encodeMark(high)}.`
      const position = (index: number) => (head + Number(changes[index]?.id ?? 0).toString(36)) as Position
      part = more ? { high, after: Number(changes.at(-1)?.id ?? 0) } : undefined
      if (!more) mark = high
      place = more ? position(changes.length - 1) : encodeLogPosition({ incarnation, low: mark })
      if (changes.length > 0) await handle({ gap: false, changes, position, end: place })
      if (!more && fresh) return
    }
  }

  const turn = async () => {
    const asked = waiting
    waiting = []
    const soonest = performance.now() + shortestTurn
    try {
      if (classNames().length === 0) resting = true
      else if (resting) {
        await jump()
        resting = false
      } else await readOn()
      failing = false
      for (const { resolve } of asked) resolve()
    } catch (error) {
      // Logged once: the database may be away for long.
      if (!failing) log.warn({ err: error }, 'the log of changes cannot be read')
      failing = true
      for (const { reject } of asked) reject(error)
    }
    const left = soonest - performance.now()
    if (left > 0 && waiting.length === 0) await pause(left)
    if (!db.listening()) loop.wakeIn(pollUnheard)
  }

  await jump()
  const loop = createPoller({ log, name: 'changes', turn, poll })
  return {
    wake: loop.wake,
    catchUp: () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        loop.wake()
      }),
    async renew() {
      if (await renew()) return
      lost = true
      loop.wake()
    },
    current: () => place,
    async stop() {
      await loop.stop()
      for (const { reject } of waiting) reject(new Error('The server is stopping.'))
    },
  }
}

/**
 * Resets a log of another history, from a restored database or a promoted standby: its transaction numbers would look
 * like future ones. Nobody can continue from an earlier position.
 */
async function resetForeignLog(db: Database): Promise<void> {
  await db.transaction(async () => {
    const [changed] = await db.query(sql`
      update countersign.live_state set incarnation = countersign.incarnation(),
        kept_from = pg_snapshot_xmin(pg_current_snapshot())
      where incarnation <> countersign.incarnation() or kept_from > pg_snapshot_xmax(pg_current_snapshot())
      returning incarnation`)
    if (!changed) return
    await db.query(sql`delete from countersign.changes`)
    await db.query(sql`delete from countersign.live_marks`)
    await db.query(sql`update countersign.live_classes set since = pg_current_xact_id()`)
  })
}

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
}

export type Page = {
  changes: Change[]
  /** True if the span continues after this page. */
  more: boolean
  /** Current snapshot. */
  now: Mark
  incarnation: string
  /** True if the log belongs to another history of the database, so that its numbers mean nothing here. */
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

/** As stored, which is about what it is on the wire, since the log is not packed. One change may be larger than that and then goes alone. */
const mostBytes = 4_000_000

/** Reads in one statement, so that what is found and what it is measured by belong together. */
export async function readPage(db: Database, { low, high, after, upTo, classNames }: Span): Promise<Page> {
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
    )
    select countersign.incarnation() as incarnation, state.incarnation as known,
      state.kept_from::text::bigint as "keptFrom", pg_current_snapshot()::text as snapshot,
      coalesce((select max(id) from countersign.changes), 0) as last, (select count(*) from first) as count,
      (
        select json_agg(
          json_build_array(id, class_name, floor(extract(epoch from at) * 1000), before, after) order by id)
        from page
      ) as changes
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
    incarnation: shorten(row.incarnation),
    // Not every database identifies itself; a log that begins in the future must be another's.
    foreign: row.incarnation !== row.known || row.keptFrom > now.xmax,
    keptFrom: row.keptFrom,
  }
}

function shorten(incarnation: string): string {
  return createHash('sha256').update(incarnation).digest('base64url').slice(0, 8)
}
