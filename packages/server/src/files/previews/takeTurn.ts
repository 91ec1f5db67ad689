import { CountersignError } from '@countersign/protocol'

const atOnce = 2
const patient = 50

let running = 0
const waiting: (() => void)[] = []

/** Runs work while few others run: pictures take memory and a whole core each. */
export async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= atOnce) {
    if (waiting.length >= patient) {
      throw new CountersignError('RequestLimitExceeded', 'Too many previews at once. Try again in a moment.', {
        rateLimit: { retryAfter: 2 },
      })
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    // The place is handed on, not given back, where someone waits for it.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
