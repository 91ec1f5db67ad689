import type { Clock } from '../clock/Clock.ts'

/** How many there were in this window of time, and the seconds until it ends. */
type Counted = { count: number; reset: number }

/** Counts by key in windows of time: each call is one more. So many keys at once, or strangers would fill the memory. */
export function createWindows(clock: Clock, mostKeys: number): (key: string, length: number) => Counted {
  const windows = new Map<string, { count: number; ends: number }>()
  return (key, length) => {
    const now = clock.now().getTime()
    let window = windows.get(key)
    if (!window || window.ends <= now) {
      if (windows.size >= mostKeys) for (const [old, { ends }] of windows) if (ends <= now) windows.delete(old)
      if (windows.size >= mostKeys) windows.clear()
      window = { count: 0, ends: now + length }
      windows.set(key, window)
    }
    window.count++
    return { count: window.count, reset: Math.max(1, Math.ceil((window.ends - now) / 1000)) }
  }
}
