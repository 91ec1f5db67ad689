import { CountersignError, type RateLimit } from '@countersign/protocol'
import type { Audit } from '../../audit/startAudit.ts'
import type { HeldToken } from '../../caches/createSessionCache.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import type { Body } from '../../endpoint/Endpoint.ts'
import { notHere } from '../../endpoint/notHere.ts'
import type { ResponseParts } from '../../endpoint/respond.ts'
import { createAddressList } from '../../network/clientAddress.ts'
import { rateKeyOf } from '../../users/tokens/holdCredential.ts'
import type { ApiReply, ApiRequest } from './ApiRequest.ts'
import { answerError } from './answerError.ts'
import { namesApplication, readClaims } from './claims.ts'
import { clearBindingCookie, keepTokenInCookie, reportCookieTrap, setBindingCookie, wantsCookie } from './cookies.ts'
import { applyCors } from './cors.ts'
import type { Bodies } from './createBodies.ts'
import type { RateLimiter } from './createRateLimiter.ts'
import type { FindEndpoint, Match } from './createRouter.ts'
import { type Asked, type Exchange, type Gate, openExchange } from './Exchange.ts'
import { identifyFor } from './identify.ts'
import { createDuplicates } from './rejectDuplicates.ts'
import { checkRights } from './rights.ts'
import { runEndpoint } from './runEndpoint.ts'
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

  return async (request: ApiRequest, reply: ApiReply): Promise<ApiReply> => {
    applyCors(config.allowOrigin, request, reply)
    if (request.method === 'OPTIONS') return reply.code(200).type('text/plain').send('OK')
    const cookie = wantsCookie(context, request)
    reportCookieTrap(gate, request, reply, cookie)
    try {
      const exchange = openExchange(gate, request, reply, cookie)
      if (exchange.mayTurn) refuseUsedUp(gate, exchange)
      else await count(gate, exchange, exchange.written, exchange.first)
      if (!exchange.first && !exchange.mayTurn) throw notHere(exchange.written, exchange.path)
      return await pass(gate, exchange)
    } catch (error) {
      if (error instanceof CountersignError) setRateLimit(reply, error.rateLimit)
      if (isRateLimited(error)) noteLimitedSignIn(context, request, error)
      return answerError(reply, error, log)
    }
  }
}

/**
 * The stages of a request, in their order. Headers come first: unauthorized callers are rejected before the body is
 * read.
 */
async function pass(gate: Gate, exchange: Exchange): Promise<ApiReply> {
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
    const asked = await matchBody(gate, exchange, body)
    const { match, method, path } = asked
    // The session may have ended while a slow body came in.
    const isFresh = match === first && performance.now() - exchange.began <= freshness
    const claims = exchange.claims ?? readClaims(request, body)
    const caller = (isFresh && exchange.early) || (await identifyFor(gate, exchange, claims, match.endpoint))
    request.userId = caller.session?.userId
    request.isConsoleRead = caller.operator !== undefined && method === 'GET' && !match.endpoint.writes
    if (caller.token && exchange.from.token === undefined) await countToken(gate, exchange, match, caller.token)
    if (claims.codeContext !== undefined) caller.codeContext = claims.codeContext
    caller.left = () => leftSignal(exchange.reply)
    checkRights(context, match, caller, method, path)
    if (exchange.cookie && match.endpoint.binds === 'begins') {
      caller.binding ??= `browser:${setBindingCookie(context, exchange.reply)}`
    }
    asked.requestId = caller.requestId
    return sendAnswer(gate, exchange, asked, caller, await runEndpoint(gate, exchange, asked, caller))
  } catch (error) {
    if (!exchange.isCounted) await count(gate, exchange, exchange.written, first)
    throw error
  } finally {
    exchange.held?.release()
  }
}

const isRateLimited = (error: unknown) => error instanceof CountersignError && error.reason === 'rateLimited'

/** Sign-in that was refused before its body was read: which account it named is not known. */
function noteLimitedSignIn({ services }: Context, request: ApiRequest, error: unknown): void {
  const from = { ipAddress: request.ip, userAgent: request.headers['user-agent'] ?? '' }
  if (request.countedAs) services.failedSignIns?.note({ endpoint: request.countedAs, body: {}, from, error })
}

/** Made on demand: most requests are over before anyone could ask. */
function leftSignal({ raw }: ApiReply): AbortSignal {
  const left = new AbortController()
  if (raw.destroyed) left.abort()
  else raw.once('close', () => left.abort())
  return left.signal
}

/** Matches the request once more, now that its body may name another method. */
async function matchBody(gate: Gate, exchange: Exchange, body: Body): Promise<Asked> {
  const { request, written, path, search, first, mayTurn, sent } = exchange
  if (typeof body._ContentType === 'string') sent.fileType = body._ContentType
  const override = Object.hasOwn(body, '_method') ? body._method : request.headers['x-http-method-override']
  const method = readMethod(written, override)
  const match = method === written ? first : gate.findEndpoint(method, path)
  if (mayTurn) await count(gate, exchange, method, match)
  if (!match) throw notHere(method, path)
  const { name } = match.endpoint
  request.countedAs = name === 'signUp' && body.authData ? 'signUpByAuthData' : name
  return { method, path, search, body, match, requestId: undefined }
}

function readMethod(method: string, override: unknown): string {
  if (method !== 'POST' || override === undefined) return method
  if (typeof override !== 'string' || !/^(GET|POST|PUT|DELETE)$/i.test(override)) {
    throw new CountersignError('InvalidJson', '_method must be GET, POST, PUT or DELETE.')
  }
  return override.toUpperCase()
}

/** Sends the handler's result, with status, headers and cookies. */
function sendAnswer(
  { context }: Gate,
  { reply, cookie }: Exchange,
  { match: { endpoint, params } }: Asked,
  caller: Caller,
  response: ResponseParts & { output: object },
): ApiReply {
  // The output of a written response is read only where it is needed: to read it parses the whole text again.
  const { status = endpoint.status, headers, text } = response
  if (endpoint.location) {
    const location = endpoint.location(response.output, params)
    reply.header('Location', `${context.publicUrl}${context.config.mount}${location}`)
  }
  if (status) reply.code(status)
  if (headers) reply.headers(headers)
  if (cookie && endpoint.binds === 'ends') clearBindingCookie(context, reply)
  // A page with a cookie session gets the response without the token.
  if (text !== undefined && !(cookie && text.includes('"sessionToken"'))) {
    return reply.type('application/json; charset=utf-8').send(text)
  }
  const { output } = response
  return reply.send(cookie ? keepTokenInCookie(context, reply, output, endpoint, caller) : output)
}

/** Methods that a POST's body may select. */
const overrides = ['GET', 'PUT', 'DELETE']

/** Counts the request against the rate limits; fails where nothing is left. */
async function count(gate: Gate, exchange: Exchange, method: string, match: Match | undefined): Promise<void> {
  const { reply, path, from } = exchange
  exchange.isCounted = true
  setRateLimit(reply, await gate.limiter.count({ method, path, match, ...from }))
}

/** Counts a token that was not known yet when its request was counted by address. */
async function countToken(gate: Gate, exchange: Exchange, match: Match, token: HeldToken): Promise<void> {
  exchange.from.token = rateKeyOf(token)
  const { path, written, from } = exchange
  await gate.limiter.count({ method: written, path, match, ...from })
}

/** Rejects before the body is read where nothing is left, whatever the body may turn the request into. */
function refuseUsedUp({ limiter, findEndpoint }: Gate, { written, path, first, from }: Exchange): void {
  const refusal = limiter.findRefusal({ method: written, path, match: first, ...from })
  if (!refusal) return
  const others = overrides.map((method) => ({ method, match: findEndpoint(method, path) }))
  if (others.every((other) => !other.match || limiter.findRefusal({ path, ...other, ...from }))) throw refusal
}

function setRateLimit(reply: ApiReply, limit: RateLimit | undefined): void {
  if (limit?.limit === undefined) return
  reply.headers({
    'RateLimit-Limit': String(limit.limit),
    'RateLimit-Remaining': String(limit.remaining),
    'RateLimit-Reset': String(limit.reset),
  })
}
