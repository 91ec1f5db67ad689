import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Context } from '../context/Context.ts'

export type Load = { isOverloaded(): boolean; stop(): void }

/** Milliseconds between two looks at the delays. */
const window = 1000

/**
 * Measures how late the event loop is. The server is overloaded while the median delay of two seconds in a row is over
 * `overloadDelay`: one long pause does not count, a queue that grows does. Refusing early then keeps all other
 * responses on time.
 */
export function watchLoad({ config, log }: Context): Load {
  if (config.overloadDelay === 0) return { isOverloaded: () => false, stop: () => {} }
  const delays = monitorEventLoopDelay({ resolution: 20 })
  let isOverloaded = false
  let late = 0
  delays.enable()
  const timer = setInterval(() => {
    // The timer's own period is part of what is measured.
    const delay = delays.percentile(50) / 1e6 - 20
    delays.reset()
    const was = isOverloaded
    late = delay > config.overloadDelay ? late + 1 : 0
    isOverloaded = late >= 2
    if (isOverloaded !== was)
      log.warn({ delay: Math.round(delay) }, isOverloaded ? 'overloaded' : 'no longer overloaded')
  }, window)
  timer.unref()
  const stop = () => {
    clearInterval(timer)
    delays.disable()
  }
  return { isOverloaded: () => isOverloaded, stop }
}
