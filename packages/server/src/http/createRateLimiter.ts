import { CountersignError, type RateLimit } from '@countersign/protocol'
import type { Clock } from '../clock/Clock.ts'
import type { RateLimitRule } from '../config/Config.ts'
import { createWindows } from '../context/createWindows.ts'
import { networkOf } from '../context/networkOf.ts'

const mostWindows = 100_000

/** Counts requests by address and rule, and refuses those over a rule's count (R23). */
export function createRateLimiter(rules: RateLimitRule[], clock: Clock): (request: Counted) => RateLimit | undefined {
  const countIn = createWindows(clock, mostWindows)
  const compiled = rules.map((rule) => ({ rule, pattern: toPattern(rule.requestPath) }))
  // One look for the many requests that no rule is about.
  const limited = new RegExp(compiled.map(({ pattern }) => pattern.source).join('|') || '^(?!)', 'i')

  return ({ method, path: spelled, address, isForwarded }) => {
    const path = plainPath(spelled)
    if (!limited.test(path)) return undefined
    let tightest: RateLimit | undefined
    for (const { rule, pattern } of compiled) {
      if (!pattern.test(path) || (rule.requestMethods && !rule.requestMethods.includes(method))) continue
      // Who is spoken for by a header may claim to be the machine itself.
      if (!rule.includeInternalRequests && !isForwarded && isLoopback(address)) continue
      const limit = count(rule, `${rule.requestPath} ${rule.requestMethods?.join()} ${networkOf(address)}`)
      if (tightest === undefined || (limit.remaining ?? 0) < (tightest.remaining ?? 0)) tightest = limit
    }
    return tightest
  }

  function count(rule: RateLimitRule, key: string): RateLimit {
    const { count, reset } = countIn(key, rule.requestTimeWindow)
    if (count > rule.requestCount) {
      const rateLimit = { limit: rule.requestCount, remaining: 0, reset, retryAfter: reset }
      throw new CountersignError('RequestLimitExceeded', rule.errorResponseMessage, { rateLimit })
    }
    return { limit: rule.requestCount, remaining: rule.requestCount - count, reset }
  }
}

type Counted = { method: string; path: string; address: string; isForwarded: boolean }

/** As the router reads it: whatever leads to the same endpoint counts as the same path. */
function plainPath(path: string): string {
  const single = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path
  if (!single.includes('%')) return single
  try {
    return decodeURIComponent(single)
  } catch {
    return single
  }
}

function toPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\\\*$/, '.*')
  return new RegExp(`^${escaped}/*$`, 'i')
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
