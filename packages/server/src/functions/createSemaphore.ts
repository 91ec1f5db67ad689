import { CountersignError } from '@countersign/protocol'

export type Semaphore = {
  /** Waits for a turn and does the work; a caller that is aborted does not do it. */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

/** Runs a limited number at once; the others are queued, and rejected if the queue is full. */
export function createSemaphore(places: number, longestLine: number): Semaphore {
  let busy = 0
  const line = new Set<() => void>()

  const enter = (signal: AbortSignal): Promise<void> | undefined => {
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
      const leaveLine = () => {
        line.delete(take)
        reject(signal.reason)
      }
      const take = () => {
        line.delete(take)
        signal.removeEventListener('abort', leaveLine)
        resolve()
      }
      signal.addEventListener('abort', leaveLine, { once: true })
      line.add(take)
    })
  }

  const leave = () => {
    // The place goes on to the caller that waits longest, without being free in between.
    for (const take of line) return take()
    busy--
  }

  return {
    async run(signal, work) {
      await enter(signal)
      let isDone = false
      const free = () => {
        if (!isDone) leave()
        isDone = true
      }
      // Work that does not end in time keeps no place for ever.
      signal.addEventListener('abort', free, { once: true })
      try {
        return await work()
      } finally {
        signal.removeEventListener('abort', free)
        free()
      }
    },
  }
}
