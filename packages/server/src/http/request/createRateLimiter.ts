import { CountersignError, endpoints, type RateLimit } from '@countersign/protocol'
import type { RateLimitRule } from '../../config/Config.ts'
import type { UsedUpRule } from '../../console/signInLimits.ts'
import type { Endpoint } from '../../endpoint/Endpoint.ts'
import type { Counted, Limits } from '../../limits/createLimits.ts'
import { type CompiledRule, compileRule, isForMethod } from '../../limits/rateLimitRules.ts'
import { networkOf } from '../../network/clientAddress.ts'
import type { Match } from './createRouter.ts'

const mostWindows = 100_000

/** A request: the endpoint that it leads to, or its path where it leads to none. */
export type LimitedRequest = {
  method: string
  path: string
  match?: Match | undefined
  address: string
  isForwarded: boolean
  /** Key of a token with a scope: counted in the place of the address, from wherever it is used. */
  token?: string | undefined
}

type Place = { method: string; path: string }

/**
 * Counts requests by address and rule, and refuses those over a rule's count (R23). What counts is the endpoint, under
 * every path that it has: how a client writes the path, and which of several forms it takes, changes nothing.
 */
export function createRateLimiter(getRules: () => RateLimitRule[], limits: Limits, name: string) {
  const counter = limits.open(name, mostWindows)
  let rules = getRules()
  let compiled = rules.map(compileRule)
  const known = new Map<Endpoint, CompiledRule[]>()

  return {
    /** Counts one request, or as many as it costs. Returns the tightest rule; fails with 155 if too little is left. */
    async count(request: LimitedRequest, cost = 1): Promise<RateLimit | undefined> {
      let tightest: RateLimit | undefined
      for (const rule of rulesOf(request)) {
        const counted = await counter.take(keyOf(rule, payerOf(request)), limitOf(rule), cost)
        if (!counted.isAllowed) throw refusal(rule, counted)
        const { remaining, reset } = counted
        if (tightest?.remaining === undefined || remaining < tightest.remaining)
          tightest = { limit: rule.requestCount, remaining, reset }
      }
      return tightest
    },
    /** Finds the refusal that a request is certain to get if it is counted now. */
    findRefusal(request: LimitedRequest): CountersignError | undefined {
      for (const rule of rulesOf(request)) {
        const counted = counter.look(keyOf(rule, payerOf(request)), limitOf(rule))
        if (!counted.isAllowed) return refusal(rule, counted)
      }
      return undefined
    },
    /** Rules that have nothing left for an address, in this process. */
    listUsedUp(most: number): UsedUpRule[] {
      renew()
      return limits.listUsedUp(name, most).flatMap(({ id, key, until }) => {
        const found = rules.find((rule) => key.startsWith(keyOf(rule, '')))
        if (!found) return []
        const { requestPath: path, requestMethods: methods, requestCount: requests } = found
        const address = key.slice(keyOf(found, '').length)
        return [{ id, address, path, ...(methods && { methods: [...methods] }), requests, until: until.toISOString() }]
      })
    },
  }

  /** An operator may change the rules while the server runs. */
  function renew(): void {
    if (rules === getRules()) return
    rules = getRules()
    compiled = rules.map(compileRule)
    known.clear()
  }

  function rulesOf(request: LimitedRequest): RateLimitRule[] {
    renew()
    const { match, address, isForwarded } = request
    // A forwarded caller may claim to be this machine.
    const isInternal = !isForwarded && isLoopback(address)
    const possible = (match ? rulesOfEndpoint(match.endpoint) : compiled).filter(
      ({ rule }) => rule.includeInternalRequests || !isInternal,
    )
    if (possible.length === 0) return []
    const places = match ? placesOf(match.endpoint, match.params) : [{ ...request, path: plainPath(request.path) }]
    return possible
      .filter(({ rule, pattern }) => places.some(({ method, path }) => isForMethod(rule, method) && pattern.test(path)))
      .map(({ rule }) => rule)
  }

  /** Rules that may match an endpoint, with any path: most have none. */
  function rulesOfEndpoint(endpoint: Endpoint): CompiledRule[] {
    const found = known.get(endpoint)
    if (found) return found
    const places = placesOf(endpoint)
    const possible = compiled.filter(({ rule, beginning }) =>
      places.some(({ method, path }) => {
        const fixed = path.split(':', 1)[0]?.toLowerCase() ?? ''
        return isForMethod(rule, method) && (fixed.startsWith(beginning) || beginning.startsWith(fixed))
      }),
    )
    known.set(endpoint, possible)
    return possible
  }
}

export type RateLimiter = ReturnType<typeof createRateLimiter>

const payerOf = ({ token, address }: LimitedRequest) => token ?? networkOf(address)

function keyOf({ requestPath, requestMethods }: RateLimitRule, network: string): string {
  return `${requestPath} ${requestMethods?.join()} ${network}`
}

const limitOf = ({ requestCount, requestTimeWindow }: RateLimitRule) => ({
  most: requestCount,
  length: requestTimeWindow,
})

function refusal(
  { requestCount, errorResponseMessage }: RateLimitRule,
  { remaining, reset }: Counted,
): CountersignError {
  const rateLimit = { limit: requestCount, remaining, reset, retryAfter: reset }
  return new CountersignError('RequestLimitExceeded', errorResponseMessage, { rateLimit })
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
