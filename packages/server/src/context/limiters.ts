import { refuse } from '@countersign/protocol'
import type { Clock } from '../clock/Clock.ts'

export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Queue limit. Later callers are rejected. */
type Line = { longest: number; refuse(): never }

/** Lets so many work at once; the others wait for their turn. */
export function createLimiter(atOnce: number, line?: Line): Limiter {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running++
    else {
      if (line && waiting.length >= line.longest) line.refuse()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      // The place is handed on, not given back, where someone waits for it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** How many there were in this window of time, and the seconds until it ends. */
type Counted = { count: number; reset: number }

/**
 * Counts by key in windows of time: each call is one more, or 0 to look. So many keys at once, or strangers would fill
 * the memory; of more, the oldest are forgotten, a tenth at a time.
 */
export function createWindowCounter(
  clock: Clock,
  mostKeys: number,
): (key: string, length: number, more?: 0 | 1) => Counted {
  const windows = new Map<string, { count: number; ends: number }>()
  return (key, length, more = 1) => {
    const now = clock.now().getTime()
    let window = windows.get(key)
    if (!window || window.ends <= now) {
      if (windows.size >= mostKeys) for (const [old, { ends }] of windows) if (ends <= now) windows.delete(old)
      if (windows.size >= mostKeys) forget(mostKeys / 10)
      window = { count: 0, ends: now + length }
      // To the end of the order, where the newest are.
      windows.delete(key)
      windows.set(key, window)
    }
    window.count += more
    return { count: window.count, reset: Math.max(1, Math.ceil((window.ends - now) / 1000)) }
  }

  function forget(count: number): void {
    for (const old of windows.keys()) {
      if (count-- <= 0) return
      windows.delete(old)
    }
  }
}

/** Refuses a text that is longer than that, by the name of its field. */
export function refuseLong(field: string, text: string, max: number): void {
  if (text.length > max) throw refuse('textTooLong', { field, max })
}
