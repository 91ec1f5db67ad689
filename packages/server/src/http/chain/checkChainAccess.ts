import { CountersignError } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { needSession } from '../../users/needSession.ts'
import { createRateLimiter } from '../createRateLimiter.ts'

type Count = ReturnType<typeof createRateLimiter>

const counters = new WeakMap<Context, Count>()

/** Whether the caller may read chains at all, and still may in this minute. */
export function checkChainAccess(context: Context, caller: Caller, cost = 1): void {
  if (caller.isMaster) return
  const { access } = context.config.chainApi
  if (access === 'master')
    throw new CountersignError('OperationForbidden', 'Chains are read with the master key alone here.')
  if (access === 'signedIn') needSession(caller)
  if (caller.isCode) return
  const count = counterOf(context)
  const request = { method: 'GET', path: '/chain', address: caller.ipAddress, isForwarded: caller.isForwarded ?? false }
  for (let each = 0; each < cost; each++) count(request)
}

/** One count for both doors, or whoever is refused at one would go through the other. */
function counterOf(context: Context): Count {
  const known = counters.get(context)
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
  counters.set(context, made)
  return made
}
