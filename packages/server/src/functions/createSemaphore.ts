import { CountersignError } from '@countersign/protocol'
import type { TimeLimit } from '../context/Registry.ts'

export type Semaphore = {
  /** Waits for a turn and does the work, unless the time is over before. */
  run<Result>(limit: TimeLimit, work: () => Promise<Result>): Promise<Result>
}

/** Runs a limited number at once; the others are queued, and rejected if the queue is full. */
export function createSemaphore(places: number, longestLine: number): Semaphore {
  let busy = 0
  const line = new Set<() => void>()

  const enter = (limit: TimeLimit): Promise<void> | undefined => {
    if (busy < places) {
      busy++
      return undefined
    }
    if (line.size >= longestLine) {
      throw new CountersignError('RequestLimitExceeded', 'Too many functions are running. Try again in a moment.', {
        rateLimit: { retryAfter: 1 },
      })
    }
    return new Promise<void>((resolve, reject) => {
      const stay = limit.onAbort((reason) => {
        line.delete(take)
        reject(reason)
      })
      const take = () => {
        line.delete(take)
        stay()
        resolve()
      }
      line.add(take)
    })
  }

  const leave = () => {
    // The place goes on to the caller that waits longest, without being free in between.
    for (const take of line) return take()
    busy--
  }

  return {
    async run(limit, work) {
      await enter(limit)
      let isDone = false
      const free = () => {
        if (!isDone) leave()
        isDone = true
      }
      // Work that does not end in time keeps no place for ever.
      const end = limit.onAbort(free)
      try {
        return await work()
      } finally {
        end()
        free()
      }
    },
  }
}
