import type { Logger } from 'pino'
import type { Database } from '../../db/Database.ts'
import { createSettling } from './createSettling.ts'
import { encodeLogPosition, encodeMark, firstMissing, type Mark, type Position, type WatchedBatch } from './Feed.ts'
import { adoptDatabase, endHistory, recordContinued } from './histories.ts'
import { type Page, readPage, type Span } from './readPage.ts'
import { createWitnesses } from './witness.ts'

export type CursorParts = {
  db: Database
  log: Logger
  classNames(): readonly string[]
  /** Returns true if there are distributed classes. */
  hasSpread(): boolean
  /** Makes sure that the classes are recorded; returns true if they had been without a gap. */
  renew(): Promise<boolean>
  handle(batch: WatchedBatch): Promise<void>
}

export type Cursor = {
  /** Moves to the current end of the log without reading it. */
  jump(): Promise<void>
  /** Reads to the end of the log and hands it on. */
  readOn(): Promise<void>
  /** The next read checks that the database still has what was read. */
  doubt(): void
  /** The next read reports a gap. */
  lose(): void
  current(): Position
}

/** Place in the log of changes. Goes on after a promotion of the database that lost nothing. */
export function createCursor({ db, log, classNames, hasSpread, renew, handle }: CursorParts): Cursor {
  const nowhere: Mark = { xmax: 1, underWay: [], last: 0 }
  const witnesses = createWitnesses()
  const settleWrites = createSettling(db, log)
  const isWitnessed = db.kind === 'postgres'
  let history = ''
  let mark = nowhere
  let place = '' as Position
  /** Of a batch that is being read page by page. */
  let part: { high: Mark; after: number } | undefined
  let lost = false
  let doubted = false

  /** Reads a page; where the database was promoted or restored, with the new name of its log. */
  const read = async (span: Span): Promise<Page> => {
    const page = await readPage(db, span)
    if (hasSpread()) await settleWrites()
    if (!page.foreign) return page
    await adoptDatabase(db)
    return readPage(db, span)
  }

  const jumpToEnd = async () => {
    const page = await read({ low: nowhere, classNames: [], isWitnessed })
    history = page.history
    mark = page.now
    part = undefined
    place = encodeLogPosition({ history, low: mark })
    witnesses.note(page.witnesses, page.keptFrom)
  }

  /**
   * After a promotion: records for all servers that positions up to here are still good, where nothing that was read is
   * lost. Returns false if something is.
   */
  const keepPositions = async (next: string): Promise<boolean> => {
    if (!(await witnesses.hold(db))) return false
    if (next !== history) await recordContinued(db, history, part?.high ?? mark)
    return true
  }

  /** Before the reader moves on: clients may come back with a position of the earlier history. */
  const leaveHistory = async () => {
    if (history === '') return
    const { history: next } = await read({ low: nowhere, classNames: [] })
    if (next !== history) await keepPositions(next)
  }

  /** Returns false if changes were lost between what was read and this page. */
  const goOn = async (page: Page): Promise<boolean> => {
    if (page.keptFrom > firstMissing(mark)) return false
    if (page.history === history && !doubted) return true
    if (!(await keepPositions(page.history))) {
      if (page.history === history) await endHistory(db, history)
      return false
    }
    if (!(await renew())) return false
    if (page.history !== history) log.info('live queries go on after a promotion of the database')
    history = page.history
    doubted = false
    return true
  }

  const reportGap = async () => {
    await renew()
    witnesses.clear()
    await jumpToEnd()
    lost = false
    doubted = false
    log.warn('live queries missed changes: the database was replaced, or was unreachable for too long')
    await handle({ gap: true, changes: [], position: () => place, end: place })
  }

  /** Ends with a batch that was cut after the call. One that an earlier turn had to leave is finished first. */
  const readOn = async () => {
    if (lost) return reportGap()
    for (let fresh = part === undefined; ; fresh ||= part === undefined) {
      const page = await read({ low: mark, ...part, classNames: classNames(), isWitnessed: isWitnessed && !part })
      if (page.foreign || !(await goOn(page))) return reportGap()
      witnesses.note(page.witnesses, page.keptFrom)
      const { changes, more } = page
      const high = part?.high ?? page.now
      const head = `${history}.${encodeMark(mark)}.${encodeMark(high)}.`
      const position = (index: number) => (head + Number(changes[index]?.id ?? 0).toString(36)) as Position
      part = more ? { high, after: Number(changes.at(-1)?.id ?? 0) } : undefined
      if (!more) mark = high
      place = more ? position(changes.length - 1) : encodeLogPosition({ history, low: mark })
      if (changes.length > 0) await handle({ gap: false, changes, position, end: place })
      if (!more && fresh) return
    }
  }

  return {
    async jump() {
      await leaveHistory()
      await jumpToEnd()
    },
    readOn,
    doubt() {
      doubted = isWitnessed
    },
    lose() {
      lost = true
    },
    current: () => place,
  }
}
