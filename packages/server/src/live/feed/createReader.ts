import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../db/Database.ts'
import { createPoller } from '../../work/createPoller.ts'
import { encodeLogPosition, encodeMark, firstMissing, type Mark, type Position, type WatchedBatch } from './Feed.ts'
import { adoptDatabase, endHistory, recordContinued } from './histories.ts'
import { type Page, readPage, type Span } from './readPage.ts'
import { createWitnesses } from './witness.ts'

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
  /** Wakes it to check that the database still has what it has read, after a lost connection. */
  doubt(): void
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
  const witnesses = createWitnesses()
  const isWitnessed = db.kind === 'postgres'
  let history = ''
  let mark = nowhere
  let place = '' as Position
  /** Of a batch that is being read page by page. */
  let part: { high: Mark; after: number } | undefined
  let resting = true
  let lost = false
  let doubted = false
  let failing = false
  let waiting: Waiting[] = []

  /** Reads a page; where the database was promoted or restored, with the new name of its log. */
  const read = async (span: Span): Promise<Page> => {
    const page = await readPage(db, span)
    if (!page.foreign) return page
    await adoptDatabase(db)
    return readPage(db, span)
  }

  /** Moves to the current end of the log without reading it. */
  const jump = async () => {
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
    const { history: next } = await read({ low: nowhere, classNames: [] })
    if (history !== '' && next !== history) await keepPositions(next)
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

  const lose = async () => {
    await renew()
    witnesses.clear()
    await jump()
    lost = false
    doubted = false
    log.warn('live queries missed changes: the database was replaced, or was unreachable for too long')
    await handle({ gap: true, changes: [], position: () => place, end: place })
  }

  /** Ends with a batch that was cut after the call. One that an earlier turn had to leave is finished first. */
  const readOn = async () => {
    if (lost) return lose()
    for (let fresh = part === undefined; ; fresh ||= part === undefined) {
      const page = await read({ low: mark, ...part, classNames: classNames(), isWitnessed: isWitnessed && !part })
      if (page.foreign || !(await goOn(page))) return lose()
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

  const turn = async () => {
    const asked = waiting
    waiting = []
    const soonest = performance.now() + shortestTurn
    try {
      if (classNames().length === 0) resting = true
      else if (resting) {
        await leaveHistory()
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
    doubt() {
      doubted = isWitnessed
      loop.wake()
    },
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
