import { CountersignError } from '@countersign/protocol'
import type { Clock } from '../clock/Clock.ts'
import { networkOf } from '../context/networkOf.ts'
import type { CodeCaller } from '../context/Registry.ts'
import type { CallLimit } from './Definition.ts'

const mostWindows = 20_000

/** Counts the calls of a function by its caller, and refuses those over its limit. The master key is not counted. */
export function createCallCounter(
  { count: most, window: length, by = 'user' }: CallLimit,
  name: string,
  clock: Clock,
): (caller: CodeCaller) => void {
  const windows = new Map<string, { count: number; ends: number }>()
  return (caller) => {
    if (caller.isMaster) return
    const now = clock.now().getTime()
    const userId = by === 'user' ? caller.user?.objectId : undefined
    const key = userId === undefined ? `address ${networkOf(caller.ipAddress)}` : `user ${userId}`
    let window = windows.get(key)
    if (!window || window.ends <= now) {
      if (windows.size >= mostWindows) for (const [old, { ends }] of windows) if (ends <= now) windows.delete(old)
      if (windows.size >= mostWindows) windows.clear()
      window = { count: 0, ends: now + length }
      windows.set(key, window)
    }
    if (++window.count <= most) return
    const reset = Math.max(1, Math.ceil((window.ends - now) / 1000))
    throw new CountersignError('RequestLimitExceeded', `Too many calls of ${name}. Try again in ${reset} s.`, {
      rateLimit: { limit: most, remaining: 0, reset, retryAfter: reset },
    })
  }
}
