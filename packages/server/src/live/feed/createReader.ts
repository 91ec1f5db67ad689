import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createLoop } from '../../context/createLoop.ts'
import type { Database } from '../../db/Database.ts'
import { adoptLog } from './adoptLog.ts'
import type { Position, WatchedBatch } from './Feed.ts'
import { encodeMark, encodePlace, firstMissing, type Mark } from './Place.ts'
import { type Page, readPage } from './readPage.ts'

type Parts = {
  db: Database
  log: Logger
  classNames(): readonly string[]
  /** Makes sure that the classes are recorded; answers whether they had been all along. */
  renew(): Promise<boolean>
  handle(batch: WatchedBatch): Promise<void>
}

export type Reader = {
  wake(): void
  /** Ends once all that was committed before the call has been handled. Fails where the database cannot be read. */
  catchUp(): Promise<void>
  /** Asks for the classes to be recorded on; where they have not been, everyone is told of the gap. */
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
    place = encodePlace({ incarnation, low: mark })
  }

  /** Where the log ends now. What lies before it is not read. */
  const jump = async () => {
    let page = await readPage(db, { low: nowhere, classNames: [] })
    if (page.foreign) {
      await adoptLog(db)
      page = await readPage(db, { low: nowhere, classNames: [] })
    }
    standAt(page)
  }

  const lose = async () => {
    await renew()
    await jump()
    lost = false
    log.warn('changes were lost to live queries: the database is another, or was out of reach for too long')
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
      place = more ? position(changes.length - 1) : encodePlace({ incarnation, low: mark })
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
      // Told once: the database may be away for long.
      if (!failing) log.warn({ err: error }, 'the log of changes cannot be read')
      failing = true
      for (const { reject } of asked) reject(error)
    }
    const left = soonest - performance.now()
    if (left > 0 && waiting.length === 0) await pause(left)
    if (!db.listening()) loop.wakeIn(pollUnheard)
  }

  await jump()
  const loop = createLoop({ log, name: 'changes', turn, poll })
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
