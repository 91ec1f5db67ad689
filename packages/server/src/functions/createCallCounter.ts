import { CountersignError } from '@countersign/protocol'
import type { Clock } from '../clock/Clock.ts'
import { createWindows } from '../context/createWindows.ts'
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
  const countIn = createWindows(clock, mostWindows)
  return (caller) => {
    if (caller.isMaster) return
    const userId = by === 'user' ? caller.user?.objectId : undefined
    const key = userId === undefined ? `address ${networkOf(caller.ipAddress)}` : `user ${userId}`
    const { count, reset } = countIn(key, length)
    if (count <= most) return
    throw new CountersignError('RequestLimitExceeded', `Too many calls of ${name}. Try again in ${reset} s.`, {
      rateLimit: { limit: most, remaining: 0, reset, retryAfter: reset },
    })
  }
}
