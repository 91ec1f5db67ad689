import type { RateLimit } from '@countersign/protocol'
import type { FastifyReply } from 'fastify'
import type { Match } from './createRouter.ts'
import type { Exchange, Gate } from './Exchange.ts'

/** Methods that a POST's body may select. */
const overrides = ['GET', 'PUT', 'DELETE']

/** Counts the request against the limits of the rate; throws where nothing is left. */
export function count(gate: Gate, exchange: Exchange, method: string, match: Match | undefined): void {
  const { reply, path, from } = exchange
  exchange.isCounted = true
  setRateLimit(reply, gate.limiter.count({ method, path, match, ...from }))
}

/** Rejects before the body is read where nothing is left, whatever the body may turn the request into. */
export function refuseUsedUp({ limiter, findEndpoint }: Gate, { written, path, first, from }: Exchange): void {
  const refusal = limiter.findRefusal({ method: written, path, match: first, ...from })
  if (!refusal) return
  const others = overrides.map((method) => ({ method, match: findEndpoint(method, path) }))
  if (others.every((other) => !other.match || limiter.findRefusal({ path, ...other, ...from }))) throw refusal
}

export function setRateLimit(reply: FastifyReply, limit: RateLimit | undefined): void {
  if (limit?.limit === undefined) return
  reply.headers({
    'RateLimit-Limit': String(limit.limit),
    'RateLimit-Remaining': String(limit.remaining),
    'RateLimit-Reset': String(limit.reset),
  })
}
