import { CountersignError, endpoints, type RateLimit } from '@countersign/protocol'
import type { Clock } from '../../clock/Clock.ts'
import type { RateLimitRule } from '../../config/Config.ts'
import type { Endpoint } from '../../endpoint/Endpoint.ts'
import { networkOf } from '../../network/clientAddress.ts'
import { createWindowCounter } from '../../work/createWindowCounter.ts'
import type { Match } from './createRouter.ts'

const mostWindows = 100_000

/** A request: the endpoint that it leads to, or its path where it leads to none. */
export type Counted = {
  method: string
  path: string
  match?: Match | undefined
  address: string
  isForwarded: boolean
}

type Place = { method: string; path: string }

type Rule = { rule: RateLimitRule; pattern: RegExp; beginning: string }

/**
 * Counts requests by address and rule, and refuses those over a rule's count (R23). What counts is the endpoint, under
 * every path that it has: how a client writes the path, and which of several forms it takes, changes nothing.
 */
export function createRateLimiter(rules: RateLimitRule[], clock: Clock) {
  const countIn = createWindowCounter(clock, mostWindows)
  const compiled = rules.map(compile)
  const known = new Map<Endpoint, Rule[]>()

  return {
    /** Counts one request. Returns the tightest rule; throws 155 if nothing is left. */
    count(request: Counted): RateLimit | undefined {
      let tightest: RateLimit | undefined
      for (const rule of rulesOf(request)) {
        const limit = look(rule, request, 1)
        if (limit.retryAfter !== undefined) throw refusal(rule, limit)
        if (tightest === undefined || (limit.remaining ?? 0) < (tightest.remaining ?? 0)) tightest = limit
      }
      return tightest
    },
    /** Finds the refusal that a request would get if it were counted now. */
    findRefusal(request: Counted): CountersignError | undefined {
      for (const rule of rulesOf(request)) {
        const limit = look(rule, request, 0)
        if (limit.remaining === 0) return refusal(rule, { ...limit, retryAfter: limit.reset ?? 1 })
      }
      return undefined
    },
  }

  function look(rule: RateLimitRule, { address }: Counted, more: 0 | 1): RateLimit {
    const key = `${rule.requestPath} ${rule.requestMethods?.join()} ${networkOf(address)}`
    const { count, reset } = countIn(key, rule.requestTimeWindow, more)
    const left = { limit: rule.requestCount, remaining: Math.max(0, rule.requestCount - count), reset }
    return count > rule.requestCount ? { ...left, retryAfter: reset } : left
  }

  function rulesOf(request: Counted): RateLimitRule[] {
    const { match, address, isForwarded } = request
    // A forwarded caller may claim to be this machine.
    const isInternal = !isForwarded && isLoopback(address)
    const possible = (match ? rulesOfEndpoint(match.endpoint) : compiled).filter(
      ({ rule }) => rule.includeInternalRequests || !isInternal,
    )
    if (possible.length === 0) return []
    const places = match ? placesOf(match.endpoint, match.params) : [{ ...request, path: plainPath(request.path) }]
    return possible
      .filter(({ rule, pattern }) => places.some(({ method, path }) => isFor(rule, method) && pattern.test(path)))
      .map(({ rule }) => rule)
  }

  /** Rules that may match an endpoint, with any path: most have none. */
  function rulesOfEndpoint(endpoint: Endpoint): Rule[] {
    const found = known.get(endpoint)
    if (found) return found
    const places = placesOf(endpoint)
    const possible = compiled.filter(({ rule, beginning }) =>
      places.some(({ method, path }) => {
        const fixed = path.split(':', 1)[0]?.toLowerCase() ?? ''
        return isFor(rule, method) && (fixed.startsWith(beginning) || beginning.startsWith(fixed))
      }),
    )
    known.set(endpoint, possible)
    return possible
  }
}

export type RateLimiter = ReturnType<typeof createRateLimiter>

function compile(rule: RateLimitRule): Rule {
  const path = rule.requestPath
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\\\*$/, '.*')
  return { rule, pattern: new RegExp(`^${escaped}/*$`, 'is'), beginning: path.replace(/\*$/, '').toLowerCase() }
}

const isFor = (rule: RateLimitRule, method: string) => !rule.requestMethods || rule.requestMethods.includes(method)

function refusal(rule: RateLimitRule, rateLimit: RateLimit): CountersignError {
  return new CountersignError('RequestLimitExceeded', rule.errorResponseMessage, { rateLimit })
}

/** Classes of the server's own that have a path of their own. */
const ownPaths = { _User: '/users', _Session: '/sessions', _Role: '/roles', _Installation: '/installations' }

/** Every method and path that a rule may mean an endpoint by. Without parameters they stay as they are written there. */
function placesOf(endpoint: Endpoint, params?: Record<string, string>): Place[] {
  const forms: Place[] = endpoint.sameAs ? [endpoint, endpoints[endpoint.sameAs]] : [endpoint]
  return forms.flatMap(({ method, path: written }) => {
    const path = params ? written.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '') : written
    const paths = [path]
    for (const [className, own] of Object.entries(ownPaths)) {
      const inClasses = `/classes/${className}`
      if (isUnder(path, own)) paths.push(inClasses + path.slice(own.length))
      else if (isUnder(path, inClasses)) paths.push(own + path.slice(inClasses.length))
      else if (!params && path.startsWith('/classes/:className'))
        paths.push(own + path.slice('/classes/:className'.length))
    }
    return paths.map((each) => ({ method, path: each }))
  })
}

const isUnder = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** As the router reads it, where it leads nowhere. */
function plainPath(path: string): string {
  const single = (path.split('#', 1)[0] ?? '').replace(/\/{2,}/g, '/')
  if (!single.includes('%')) return single
  try {
    return decodeURIComponent(single)
  } catch {
    return single
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
