import { setTimeout as pause } from 'node:timers/promises'
import { createPoller } from '../../work/createPoller.ts'
import { type CursorParts, createCursor } from './createCursor.ts'
import type { Position } from './Feed.ts'

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
export async function createReader(parts: CursorParts): Promise<Reader> {
  const { db, log } = parts
  const cursor = createCursor(parts)
  let resting = true
  let failing = false
  let waiting: Waiting[] = []

  const turn = async () => {
    const asked = waiting
    waiting = []
    const soonest = performance.now() + shortestTurn
    try {
      if (parts.classNames().length === 0) resting = true
      else if (resting) {
        await cursor.jump()
        resting = false
      } else await cursor.readOn()
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

  await cursor.jump()
  const loop = createPoller({ log, name: 'changes', turn, poll })
  return {
    wake: loop.wake,
    doubt() {
      cursor.doubt()
      loop.wake()
    },
    catchUp: () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        loop.wake()
      }),
    async renew() {
      if (await parts.renew()) return
      cursor.lose()
      loop.wake()
    },
    current: cursor.current,
    async stop() {
      await loop.stop()
      for (const { reject } of waiting) reject(new Error('The server is stopping.'))
    },
  }
}
