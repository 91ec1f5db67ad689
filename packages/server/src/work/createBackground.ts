import { randomInt } from 'node:crypto'
import type { Logger } from 'pino'

export type Background = {
  /** Starts work that the response does not wait for. A failure is logged under its name. */
  run(name: string, work: () => Promise<unknown>): void
  /**
   * Delays work until well after the response, for work that must not show in response times: neither of this request
   * nor, as far as chance can hide it, of the next. Work that does not fit in the queue is dropped and logged.
   */
  runLater(name: string, work: () => Promise<unknown>): void
  /** Resolves when all of it has ended; what was put aside begins at once. */
  settle(): Promise<void>
}

type Work = { name: string; work: () => Promise<unknown>; timer: NodeJS.Timeout }

/** Pieces of work that wait or run at a time. */
const mostWaiting = 1_000
const mostRunning = 4
/** Milliseconds, between which chance chooses. */
const [shortestWait, longestWait] = [20, 250]

export function createBackground(log: Logger): Background {
  const running = new Set<Promise<unknown>>()
  const waiting = new Set<Work>()
  const due: Work[] = []
  let paced = 0

  function start(name: string, work: () => Promise<unknown>): Promise<unknown> {
    const done: Promise<unknown> = Promise.resolve()
      .then(work)
      .catch((error) => log.error({ err: error, work: name }, 'background work failed'))
      .finally(() => running.delete(done))
    running.add(done)
    return done
  }

  function startDue(): void {
    while (paced < mostRunning) {
      const next = due.shift()
      if (!next) return
      paced++
      start(next.name, next.work).then(() => {
        paced--
        startDue()
      })
    }
  }

  function makeDue(item: Work): void {
    clearTimeout(item.timer)
    waiting.delete(item)
    due.push(item)
    startDue()
  }

  return {
    run: (name, work) => void start(name, work),
    runLater(name, work) {
      if (waiting.size + due.length >= mostWaiting) {
        log.warn({ work: name }, 'background work dropped: too much of it is waiting')
        return
      }
      const item = { name, work, timer: setTimeout(() => makeDue(item), randomInt(shortestWait, longestWait)) }
      waiting.add(item)
    },
    async settle() {
      for (;;) {
        for (const item of [...waiting]) makeDue(item)
        if (running.size === 0 && due.length === 0) return
        await Promise.all(running)
      }
    },
  }
}
