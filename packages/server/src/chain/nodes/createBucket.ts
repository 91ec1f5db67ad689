import { setTimeout as delay } from 'node:timers/promises'

export type Bucket = {
  /** Waits until this many may be sent; false where that would take longer than `most` milliseconds. */
  take(count: number, most: number): Promise<boolean>
  /** The node said that it was too much. Nothing is sent for `ms`, and less from then on. */
  cut(ms: number): void
  rate(): number
}

/**
 * A token bucket that finds out what a node allows: cut to 0.6 at most once a second (each 429 of one burst is the same
 * news), up by 1 % of the wanted rate after five quiet seconds.
 */
export function createBucket(wanted: number, now: () => number = () => performance.now()): Bucket {
  let rate = wanted
  let tokens = wanted
  let filled = now()
  let lastCut = Number.NEGATIVE_INFINITY
  let closedUntil = 0

  const fill = () => {
    const at = now()
    if (rate < wanted && at - lastCut > 5_000) rate = Math.min(wanted, rate + (wanted * 0.01 * (at - filled)) / 1_000)
    tokens = Math.min(rate, tokens + (rate * (at - filled)) / 1_000)
    filled = at
  }

  return {
    async take(count, most) {
      fill()
      const wait = Math.max(closedUntil - now(), tokens > 0 ? 0 : (-tokens / rate) * 1_000)
      if (wait > most) return false
      // Taken at once, so that those who come later stand behind; a batch larger than the bucket still goes.
      tokens -= count
      if (wait > 0) await delay(wait)
      return true
    },
    cut(ms) {
      const at = now()
      closedUntil = Math.max(closedUntil, at + ms)
      if (at - lastCut < 1_000) return
      fill()
      lastCut = at
      rate = Math.max(1, rate * 0.6)
      tokens = Math.min(tokens, 0)
    },
    rate: () => rate,
  }
}
