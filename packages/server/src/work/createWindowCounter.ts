import type { Clock } from '../clock/Clock.ts'

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
