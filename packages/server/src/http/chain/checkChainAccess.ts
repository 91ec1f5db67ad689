import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { needSession } from '../../users/needSession.ts'
import { createRateLimiter, type RateLimiter } from '../createRateLimiter.ts'

const limiters = new WeakMap<Context, RateLimiter>()

/** Whether the caller may read chains at all, and still may in this minute. */
export function checkChainAccess(context: Context, caller: Caller, cost = 1): void {
  if (caller.isMaster) return
  const { access } = context.config.chainApi
  if (access === 'master')
    throw new CountersignError('OperationForbidden', 'Chains are read with the master key alone here.')
  if (access === 'signedIn') needSession(caller)
  if (caller.isCode) return
  const limiter = limiterOf(context)
  const request = { method: 'GET', path: '/chain', address: caller.ipAddress, isForwarded: caller.isForwarded ?? false }
  for (let each = 0; each < cost; each++) limiter.count(request)
}

/** One count for both doors, or whoever is refused at one would go through the other. */
function limiterOf(context: Context): RateLimiter {
  const known = limiters.get(context)
  if (known) return known
  const { requestsPerMinute } = context.config.chainApi
  const rule = {
    requestPath: '/chain',
    requestTimeWindow: 60_000,
    requestCount: requestsPerMinute,
    errorResponseMessage: 'Too many reads of chains. Try again in a minute.',
    includeInternalRequests: false,
  }
  const made = createRateLimiter(requestsPerMinute > 0 ? [rule] : [], context.clock)
  limiters.set(context, made)
  return made
}
