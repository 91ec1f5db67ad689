import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError } from '@countersign/protocol'
import type { Logger } from 'pino'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import { createPoller } from '../../work/createPoller.ts'
import { createChangeNotifier } from './createChangeNotifier.ts'
import { createReader, type Reader } from './createReader.ts'
import {
  type Batch,
  encodeLogPosition,
  encodeSnapshot,
  type Feed,
  firstMissing,
  type LogPosition,
  type Mark,
  type Position,
  parseMark,
  parseNumber,
  type WatchedBatch,
} from './Feed.ts'
import { isContinued, markReached } from './histories.ts'
import { type Page, readPage, type Span } from './readPage.ts'
import { sweepChanges } from './sweepChanges.ts'

const longest = 60_000

const pattern = /^([\w-]{8})\.([0-9a-z_]+)(?:\.([0-9a-z_]+)\.([0-9a-z]{1,11}))?$/

type Parts = {
  db: Database
  log: Logger
  /** Milliseconds that changes are kept. */
  retention: number
  hasSpread?: () => boolean
}

/** The log of changes, which all servers on one database write and read together. One for each server. */
export async function createFeed({ db, log, retention, hasSpread = () => false }: Parts): Promise<Feed> {
  const handlers = new Set<(batch: WatchedBatch) => void | Promise<void>>()
  const recorder = createRecorder({ db, retention })

  const handle = async (batch: WatchedBatch) => {
    for (const handler of handlers) {
      try {
        await handler(batch)
      } catch (error) {
        log.error({ err: error }, 'changes could not be forwarded')
      }
    }
  }

  const reader = await createReader({
    db,
    log,
    classNames: recorder.classNames,
    hasSpread,
    renew: recorder.renew,
    handle,
  })
  const notifier = await createChangeNotifier({ db, log, wakeReader: reader.wake, doubt: reader.doubt })
  let renewed = performance.now()

  const sweep = createPoller({
    log,
    name: 'sweep of changes',
    poll: Math.min(10_000, Math.max(100, retention / 20)),
    turn: async () => {
      if (performance.now() - renewed > retention / 2) {
        await reader.renew()
        renewed = performance.now()
      }
      await sweepChanges({ db, log, retention })
      await notifier.refresh()
    },
  })

  return {
    async openClass(className) {
      await recorder.open(className)
      await reader.catchUp()
      return reader.current()
    },
    closeClass: recorder.close,
    watch(handler) {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
    read: (from, to, className) => readSince({ db, reader }, logPositionOf(from), logPositionOf(to), className),
    parsePosition: (text) =>
      typeof text === 'string' && parseLogPosition(text) !== undefined ? (text as Position) : undefined,
    current: reader.current,
    async stop() {
      await Promise.all([notifier.stop(), sweep.stop(), reader.stop()])
      // Without it, only clients that were away for a while may continue after a restart of the database.
      await markReached(db).catch((error) => log.debug({ err: error }, 'the end of the log could not be marked'))
    },
  }
}

function logPositionOf(position: Position): LogPosition {
  const place = parseLogPosition(position)
  if (!place) throw new Error('Not a position.')
  return place
}

/** Parses a client's position. Accepts exactly the text of `encodeLogPosition`, because clients may send anything. */
export function parseLogPosition(text: string): LogPosition | undefined {
  if (text.length > longest) return undefined
  const [, history, low, high, id] = pattern.exec(text) ?? []
  const lowMark = parseMark(low)
  if (history === undefined || !lowMark) return undefined
  if (high === undefined) return { history, low: lowMark }
  const highMark = parseMark(high)
  const number = parseNumber(id)
  return highMark && number !== undefined ? { history, low: lowMark, part: { high: highMark, id: number } } : undefined
}

type LogReader = { db: Database; reader: Pick<Reader, 'catchUp' | 'current'> }

/** Reads the log between two positions, in order. Marks follow each other, so it is a series of whole spans. */
async function* readSince(
  { db, reader }: LogReader,
  from: LogPosition,
  to: LogPosition,
  className: string,
): AsyncGenerator<Batch | 'expired'> {
  let { history } = to
  if (!(await isOf(db, history, from)) || !(await wasRecorded(db, className, from))) {
    yield 'expired'
    return
  }
  for (const span of spansBetween(from, to)) {
    let after = span.after
    for (;;) {
      const page = await readPage(db, { ...span, after, classNames: [className] })
      if (page.foreign || page.history !== history) {
        // Promoted in between. The reader finds out which positions are still good.
        await reader.catchUp()
        history = logPositionOf(reader.current()).history
        if ((await isOf(db, history, from)) && (await isOf(db, history, to))) continue
      }
      if (page.foreign || page.history !== history || page.keptFrom > firstMissing(span.low)) {
        yield 'expired'
        return
      }
      after = Number(page.changes.at(-1)?.id ?? 0)
      if (page.changes.length > 0) yield describePage(history, span, page)
      if (!page.more) break
    }
  }
}

async function isOf(db: Database, history: string, position: LogPosition): Promise<boolean> {
  return position.history === history || isContinued(db, position)
}

type WholeSpan = Omit<Span, 'classNames'> & { high: Mark }

function spansBetween(from: LogPosition, to: LogPosition): WholeSpan[] {
  const spans: WholeSpan[] = []
  if (from.part) spans.push({ low: from.low, high: from.part.high, after: from.part.id })
  spans.push({ low: from.part?.high ?? from.low, high: to.low })
  if (to.part) spans.push({ low: to.low, high: to.part.high, upTo: to.part.id })
  return spans
}

function describePage(history: string, { low, high }: WholeSpan, { changes }: Page): Batch {
  const position = (index: number) =>
    encodeLogPosition({ history, low, part: { high, id: Number(changes[index]?.id ?? 0) } })
  return { changes, position, end: position(changes.length - 1) }
}

async function wasRecorded(db: Database, className: string, { low, part }: LogPosition): Promise<boolean> {
  const [row] = await db.query<{ whole: boolean }>(sql.named('was class recorded')`
    select pg_visible_in_snapshot(since, ${encodeSnapshot(low)}::pg_snapshot)
      and ${(part?.high ?? low).last} <= (select last_value from countersign.changes_id_seq) as whole
    from countersign.live_classes
    where class_name = ${className}`)
  return row?.whole ?? false
}

type RecorderParts = { db: Database; retention: number }

export type Recorder = {
  open(className: string): Promise<void>
  close(className: string): void
  classNames(): readonly string[]
  /** Renews the open classes in the database. Returns true if all of them had been recorded without a gap. */
  renew(): Promise<boolean>
}

type Entry = { count: number; recorded: Promise<void> | undefined }

/** Lock timeout: writers of the table wait for the lock, so short attempts are repeated. */
const lockTimeout = '100ms'

const pauseBetween = 150

const patience = 20_000

/** Classes that are waited for and are not there: anyone may name some, and every write is held against the list. */
const mostMissing = 200

/** Keeps the classes recorded that somebody on this server watches; for a while longer, so that they can come back. */
function createRecorder({ db, retention }: RecorderParts): Recorder {
  const entries = new Map<string, Entry>()
  let names: readonly string[] = []

  /** Returns true if it was recorded already. */
  const record = async (className: string): Promise<boolean> => {
    const until = performance.now() + patience
    for (;;) {
      try {
        return await db.transaction(async () => {
          await db.query(sql`select set_config('lock_timeout', ${lockTimeout}, true)`)
          await checkMissing(className)
          const [row] = await db.query<{ made: boolean }>(
            sql`select countersign.record_class(${className}, ${2 * retention} * interval '1 millisecond') as made`,
          )
          return row?.made === false
        })
      } catch (error) {
        if ((error as { code?: unknown }).code !== '55P03') throw error
        if (performance.now() > until) {
          throw new CountersignError(
            'Timeout',
            `A long transaction is writing ${className}, so a live query cannot start yet. Try again later.`,
            { cause: error },
          )
        }
        await pause(pauseBetween)
      }
    }
  }

  const checkMissing = async (className: string): Promise<void> => {
    const [full] = await db.query(sql`
      select from countersign.live_classes l
      where not exists (select from countersign.classes c where c."className" = l.class_name)
        and not exists (select from countersign.classes where "className" = ${className})
      having count(*) >= ${mostMissing} and not bool_or(l.class_name = ${className})`)
    if (full)
      throw new CountersignError(
        'ExceededQuota',
        `Class ${className} does not exist, and too many live queries wait for new classes.`,
      )
  }

  const close = (className: string) => {
    const entry = entries.get(className)
    if (!entry || --entry.count > 0) return
    entries.delete(className)
    names = [...entries.keys()]
  }

  return {
    open(className) {
      const entry = entries.get(className) ?? { count: 0, recorded: undefined }
      entry.count++
      entries.set(className, entry)
      entry.recorded ??= record(className).then(
        () => {
          names = [...entries.keys()]
        },
        (error) => {
          entry.recorded = undefined
          throw error
        },
      )
      return entry.recorded
    },
    close,
    classNames: () => names,
    async renew() {
      let whole = true
      for (const className of names) if (!(await record(className))) whole = false
      return whole
    },
  }
}
