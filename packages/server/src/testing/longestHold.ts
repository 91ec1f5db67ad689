import { readFileSync } from 'node:fs'

/**
 * How long one turn of the event loop took at most while `work` was done, in milliseconds; of several attempts the
 * best. What counts is the processor time of this thread, where the system tells it: other programs on the machine
 * make nothing longer.
 */
export async function longestHold(work: () => Promise<unknown>, attempts = 3): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let times = 0; times < attempts; times++) best = Math.min(best, await measure(work))
  return best
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = threadTime()
  let isOver = false
  const turns = new Promise<void>((resolve) => {
    const look = () => {
      const now = threadTime()
      longest = Math.max(longest, now - last)
      last = now
      if (isOver) resolve()
      else setImmediate(look)
    }
    setImmediate(look)
  })
  try {
    await work()
  } finally {
    isOver = true
    await turns
  }
  return longest
}

function threadTime(): number {
  try {
    // Nanoseconds that the main thread has run.
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return performance.now()
  }
}
