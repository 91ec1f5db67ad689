import { CountersignError } from '@countersign/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Audit } from '../../audit/startAudit.ts'
import type { Context } from '../../context/Context.ts'
import { notHere } from '../../endpoint/notHere.ts'
import { createAddressList } from './addresses.ts'
import { answerError } from './answerError.ts'
import { namesApplication, readClaims } from './claims.ts'
import { reportCookieTrap, setBindingCookie, wantsCookie } from './cookies.ts'
import { applyCors } from './cors.ts'
import { count, refuseUsedUp, setRateLimit } from './countRequest.ts'
import type { Bodies } from './createBodies.ts'
import type { RateLimiter } from './createRateLimiter.ts'
import type { FindEndpoint } from './createRouter.ts'
import { type Exchange, type Gate, openExchange } from './Exchange.ts'
import { identifyFor } from './identify.ts'
import { matchBody } from './matchBody.ts'
import { createDuplicates } from './rejectDuplicates.ts'
import { checkRights } from './rights.ts'
import { runEndpoint } from './runEndpoint.ts'
import { sendAnswer } from './sendAnswer.ts'
import { takeBody } from './takeBody.ts'

/** Milliseconds for which a session check stays valid. Matches the revocation delay. */
const freshness = 100

/** Handles every call to the API. */
export function createRequestHandler(
  context: Context,
  findEndpoint: FindEndpoint,
  limiter: RateLimiter,
  bodies: Bodies,
  audit: Audit,
) {
  const { config, log } = context
  const gate: Gate = {
    ...{ context, findEndpoint, limiter, bodies, audit },
    isMasterAddress: createAddressList(config.masterKeyIps),
    neededKeys: [config.javascriptKey, config.restAPIKey, config.clientKey].filter((key) => key !== undefined),
    duplicates: createDuplicates(context),
    trappedOrigins: new Set(),
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    applyCors(config.allowOrigin, request, reply)
    if (request.method === 'OPTIONS') return reply.code(200).type('text/plain').send('OK')
    const cookie = wantsCookie(context, request)
    reportCookieTrap(gate, request, reply, cookie)
    try {
      const exchange = openExchange(gate, request, reply, cookie)
      if (exchange.mayTurn) refuseUsedUp(gate, exchange)
      else count(gate, exchange, exchange.written, exchange.first)
      if (!exchange.first && !exchange.mayTurn) throw notHere(exchange.written, exchange.path)
      return await pass(gate, exchange)
    } catch (error) {
      if (error instanceof CountersignError) setRateLimit(reply, error.rateLimit)
      return answerError(reply, error, log)
    }
  }
}

/**
 * The stages of a request, in their order. Headers come first: unauthorized callers are rejected before the body is
 * read.
 */
async function pass(gate: Gate, exchange: Exchange): Promise<FastifyReply> {
  const { context } = gate
  const { request, first, stream } = exchange
  exchange.began = performance.now()
  try {
    const isNamed = namesApplication(request)
    if (isNamed || !stream) exchange.claims = readClaims(request, {})
    if (isNamed) {
      const { claims = readClaims(request, {}), written, path } = exchange
      const early = await identifyFor(gate, exchange, claims, first?.endpoint ?? { session: 'tolerated' })
      if (first && !exchange.mayTurn) checkRights(context, first, early, written, path)
      exchange.early = early
    }
    const body = stream ? await takeBody(gate, exchange, isNamed) : {}
    const asked = matchBody(gate, exchange, body)
    const { match, method, path } = asked
    // The session may have ended while a slow body came in.
    const isFresh = match === first && performance.now() - exchange.began <= freshness
    const claims = exchange.claims ?? readClaims(request, body)
    const caller = (isFresh && exchange.early) || (await identifyFor(gate, exchange, claims, match.endpoint))
    if (claims.codeContext !== undefined) caller.codeContext = claims.codeContext
    caller.left = () => leftSignal(exchange.reply)
    checkRights(context, match, caller, method, path)
    if (exchange.cookie && match.endpoint.binds === 'begins') {
      caller.binding ??= `browser:${setBindingCookie(context, exchange.reply)}`
    }
    asked.requestId = caller.requestId
    return sendAnswer(gate, exchange, asked, caller, await runEndpoint(gate, exchange, asked, caller))
  } catch (error) {
    if (!exchange.isCounted) count(gate, exchange, exchange.written, first)
    throw error
  } finally {
    exchange.held?.release()
  }
}

/** Made on demand: most requests are over before anyone could ask. */
function leftSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  if (raw.destroyed) left.abort()
  else raw.once('close', () => left.abort())
  return left.signal
}
