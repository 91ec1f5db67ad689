import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CountersignError, errorCodes, type RateLimit } from '@countersign/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { answerError } from './answerError.ts'
import { answerOnce } from './answerOnce.ts'
import { checkResponse } from './checkResponse.ts'
import { checkRights } from './checkRights.ts'
import { applyCors } from './cors.ts'
import type { Bodies, HeldBody } from './createBodies.ts'
import type { RateLimiter } from './createRateLimiter.ts'
import type { FindEndpoint, Match } from './createRouter.ts'
import { cutOutContent } from './cutOutContent.ts'
import { type Dispatch, type Endpoint, type ResponseParts, type Sent, toResponse } from './Endpoint.ts'
import { type Claims, identify, identifyAgain, namesApplication, readClaims } from './identify.ts'
import { isForwarded } from './isForwarded.ts'
import { createAddressList } from './keys.ts'
import { parseInput, withoutEmpty } from './parseInput.ts'
import { type Body, readBody } from './readBody.ts'
import { readQuery } from './readQuery.ts'
import { refuseRepeats } from './refuseRepeats.ts'
import {
  clearBindingCookie,
  clearSessionCookie,
  setBindingCookie,
  setSessionCookie,
  wantsCookie,
} from './sessionCookie.ts'

type Asked = {
  method: string
  path: string
  search: string
  body: Body
  match: Match
  requestId: string | undefined
}

const endsSession = new Set(['logOut', 'deleteUser', 'deleteUserInClass'])
/** Methods that a POST may turn into by what its body says. */
const overrides = ['GET', 'PUT', 'DELETE']
/** Milliseconds for which it is known that a session lives: as soon as that an ended one is known everywhere. */
const freshness = 100
/** After reading so many bytes others have their turn, before the work on them begins. */
const longRead = 64 * 1024

/**
 * The gate: every call to the API passes here. What the headers say comes first: the endpoint is matched and counted,
 * and who has no business here is refused, before anything of the body is read. Then match, identify, hand to the
 * handler, answer.
 */
export function createGate(context: Context, findEndpoint: FindEndpoint, limiter: RateLimiter, bodies: Bodies) {
  const { config, log } = context
  const isMasterAddress = createAddressList(config.masterKeyIps)
  const neededKeys = [config.javascriptKey, config.restAPIKey, config.clientKey].filter((key) => key !== undefined)
  const repeats = refuseRepeats(context)

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    applyCors(config.allowOrigin, request, reply)
    if (request.method === 'OPTIONS') return reply.code(200).type('text/plain').send('OK')
    const cookie = wantsCookie(context, request)
    try {
      return await pass(request, reply, cookie)
    } catch (error) {
      if (error instanceof CountersignError) setRateLimit(reply, error.rateLimit)
      return answerError(reply, error, log)
    }
  }

  async function pass(request: FastifyRequest, reply: FastifyReply, cookie: boolean): Promise<FastifyReply> {
    const [path, search] = splitUrl(request.url, config.mount.length)
    const from = { address: request.ip, isForwarded: isForwarded(request) }
    const stream = request.body as Readable | undefined
    const written = request.method === 'HEAD' ? 'GET' : request.method
    const first = findEndpoint(written, path)
    // The older clients send everything by POST and say in the body what they mean.
    const mayTurn = written === 'POST' && stream !== undefined
    let isCounted = false
    if (mayTurn) refuseUsedUp()
    else count(written, first)
    if (!first && !mayTurn) throw notHere(written, path)
    const sent: Sent = { headers: request.headers }
    let held: HeldBody | undefined
    const began = performance.now()
    try {
      const named = namesApplication(request)
      const rule = first?.endpoint ?? ({ session: 'tolerated' } as const)
      const early = named ? await identifyFor(readClaims(request, {}), rule) : undefined
      if (early && first && !mayTurn) checkRights(first.endpoint, early)
      if (!stream) return await answer({}, early)
      // As the older clients have it: keys in headers mean that the body is the file, keys in the body that it is JSON.
      if (named && first?.endpoint.takesFile) {
        sent.stream = stream
        return await answer({}, early)
      }
      held = await readWhole(stream, first?.endpoint)
      return await answer(await readHeld(held), early)
    } catch (error) {
      if (!isCounted) count(written, first)
      throw error
    } finally {
      held?.release()
    }

    /** The second half, once it is known what the body says. */
    async function answer(body: Body, early: Caller | undefined): Promise<FastifyReply> {
      if (typeof body._ContentType === 'string') sent.fileType = body._ContentType
      const method = readMethod(written, body._method)
      const match = method === written ? first : findEndpoint(method, path)
      if (mayTurn) count(method, match)
      if (!match) throw notHere(method, path)
      const { endpoint } = match
      const claims = readClaims(request, body)
      // While a body took its time to come in, the session may have ended.
      const isLate = performance.now() - began > freshness
      const caller = early && match === first && !isLate ? early : await identifyFor(claims, endpoint)
      if (claims.codeContext !== undefined) caller.codeContext = claims.codeContext
      caller.left = () => leftSignal(reply)
      checkRights(endpoint, caller)
      if (cookie && endpoint.binds === 'begins') caller.binding ??= `browser:${setBindingCookie(context, reply)}`
      const asked = { method, path, search, body, match, requestId: caller.requestId }
      const { output, status = endpoint.status, headers, text } = await carryOut(asked, caller)
      if (endpoint.location)
        reply.header('Location', `${context.publicUrl}${config.mount}${endpoint.location(output, match.params)}`)
      if (status) reply.code(status)
      if (headers) reply.headers(headers)
      if (cookie && endpoint.binds === 'ends') clearBindingCookie(context, reply)
      if (text !== undefined) return reply.type('application/json; charset=utf-8').send(text)
      return reply.send(withoutToken(output, endpoint, caller))
    }

    function count(method: string, match: Match | undefined): void {
      isCounted = true
      setRateLimit(reply, limiter.count({ method, path, match, ...from }))
    }

    /** Refuses before the body is read where nothing is left, whatever the body may turn the request into. */
    function refuseUsedUp(): void {
      const refusal = limiter.findRefusal({ method: written, path, match: first, ...from })
      if (!refusal) return
      const others = overrides.map((method) => ({ method, match: findEndpoint(method, path) }))
      if (others.every((other) => !other.match || limiter.findRefusal({ path, ...other, ...from }))) throw refusal
    }

    function readWhole(stream: Readable, endpoint: Endpoint | undefined): Promise<HeldBody> {
      const largest = endpoint?.takesFile ? config.maxUploadSize : Math.min(config.jsonLimit, config.maxUploadSize)
      const promised = request.headers['content-length']
      return bodies.read(stream, largest, promised === undefined ? undefined : Number(promised))
    }

    async function readHeld({ content }: HeldBody): Promise<Body> {
      const cut = first?.endpoint.takesFile ? cutOutContent(content, config.jsonLimit) : { rest: content }
      if (cut.content) sent.base64 = cut.content
      const body = readBody(cut.rest, request.headers['content-type'], config.jsonLimit)
      if (cut.rest.length > longRead) await setImmediate()
      return body
    }

    async function identifyFor(claims: Claims, endpoint: Pick<Endpoint, 'session' | 'localApp'>): Promise<Caller> {
      try {
        return await identify(context, request, claims, endpoint, { isMasterAddress, neededKeys, cookie })
      } catch (error) {
        if (cookie && error instanceof CountersignError && error.code === errorCodes.InvalidSessionToken) {
          clearSessionCookie(context, reply)
        }
        throw error
      }
    }

    async function carryOut(asked: Asked, caller: Caller): Promise<ResponseParts & { output: object }> {
      const { endpoint } = asked.match
      const response = toResponse(await run(asked, caller))
      if (config.checkResponses) checkResponse(endpoint, response.output)
      return response
    }

    async function run(asked: Asked, caller: Caller): Promise<object> {
      const { endpoint } = asked.match
      const given =
        asked.method === 'GET' ? { ...asked.body, ...readQuery(asked.search, endpoint.textQuery ?? false) } : asked.body
      endpoint.admit?.(context, caller)
      const params = parseInput(endpoint.params, asked.match.params) as Record<string, string>
      const input = parseInput(endpoint.input, endpoint.omitsEmpty ? withoutEmpty(given) : given) as Body
      const dispatch: Dispatch = (part) => findPart(part, caller)
      const work = () => endpoint.handle({ context, caller, input, params, dispatch, sent })
      const { requestId } = asked
      if (requestId === undefined || asked.method === 'GET') return work()
      if (repeats.matches(asked.path)) {
        await repeats.claim(requestId)
        return work()
      }
      return endpoint.once ? answerOnce(context, caller, { ...asked, requestId }, work) : work()
    }

    function findPart({ method, path: url, body }: Parameters<Dispatch>[0], whole: Caller): ReturnType<Dispatch> {
      const [path, search] = splitUrl(url, 0)
      const match = findEndpoint(method, path)
      // What opens or ends a session has cookies to set, and nothing of it may be tried fifty times at once.
      const isAlone = match?.endpoint.name === 'batch' || match?.endpoint.streams || match?.endpoint.binds
      if (!match || isAlone || match.endpoint.session === 'dropped') {
        throw new CountersignError('InvalidJson', `cannot route ${method} ${path}`.slice(0, 200))
      }
      const { endpoint } = match
      return {
        endpoint,
        async run(requestId) {
          limiter.count({ method, path, match, ...from })
          const caller = await identifyAgain(context, whole)
          checkRights(endpoint, caller)
          const { output } = await carryOut({ method, path, search, body, match, requestId }, caller)
          return withoutToken(output, endpoint, caller)
        },
      }
    }

    function withoutToken(output: object, endpoint: Endpoint, { session }: Caller): object {
      return cookie ? keepTokenInCookie(reply, output, session?.token, endpoint) : output
    }
  }

  /** A page with a cookie session never gets to see a token: what script cannot read, injected script cannot steal. */
  function keepTokenInCookie(
    reply: FastifyReply,
    output: object & { sessionToken?: string },
    current: string | undefined,
    endpoint: Endpoint,
  ) {
    if (endsSession.has(endpoint.name)) clearSessionCookie(context, reply)
    if (output.sessionToken === undefined) return output
    const { sessionToken, ...rest } = output
    if (sessionToken !== current) setSessionCookie(context, reply, sessionToken)
    return rest
  }
}

/** Made on demand: most requests are over before anyone could ask. */
function leftSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  if (raw.destroyed) left.abort()
  else raw.once('close', () => left.abort())
  return left.signal
}

function splitUrl(url: string, mountLength: number): [path: string, search: string] {
  const question = url.indexOf('?')
  const path = question < 0 ? url.slice(mountLength) : url.slice(mountLength, question)
  return [path === '' ? '/' : path, question < 0 ? '' : url.slice(question + 1)]
}

function readMethod(method: string, override: unknown): string {
  if (method !== 'POST' || override === undefined) return method
  if (typeof override !== 'string' || !/^(GET|POST|PUT|DELETE)$/i.test(override)) {
    throw new CountersignError('InvalidJson', '_method must be GET, POST, PUT or DELETE.')
  }
  return override.toUpperCase()
}

function notHere(method: string, path: string): CountersignError {
  return new CountersignError('CommandUnavailable', `There is no ${method} ${path} here.`, { status: 404 })
}

function setRateLimit(reply: FastifyReply, limit: RateLimit | undefined): void {
  if (limit?.limit === undefined) return
  reply.headers({
    'RateLimit-Limit': String(limit.limit),
    'RateLimit-Remaining': String(limit.remaining),
    'RateLimit-Reset': String(limit.reset),
  })
}
