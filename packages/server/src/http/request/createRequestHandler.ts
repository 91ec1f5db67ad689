import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import {
  CountersignError,
  errorCodes,
  headers as headerNames,
  noticeHeader,
  type RateLimit,
} from '@countersign/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Audit } from '../../audit/startAudit.ts'
import { actorOf, type Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { hashToken } from '../../context/secrets.ts'
import { sql } from '../../db/sql.ts'
import { raiseOperator } from '../../users/operators.ts'
import { type Dispatch, type Endpoint, parseRequest, type ResponseParts, type Sent, toResponse } from '../Endpoint.ts'
import { answerError } from './answerError.ts'
import {
  type Bodies,
  type Body,
  type HeldBody,
  readBody,
  readInflated,
  readJsonText,
  readQuery,
} from './createBodies.ts'
import type { RateLimiter } from './createRateLimiter.ts'
import { applyCors, type FindEndpoint, type Match } from './createRouter.ts'
import { cutOutContent } from './cutOutContent.ts'
import {
  type Claims,
  checkRights,
  clearBindingCookie,
  clearSessionCookie,
  createAddressList,
  findCookieTrap,
  identify,
  identifyAgain,
  isForwarded,
  namesApplication,
  notHere,
  readClaims,
  setBindingCookie,
  setSessionCookie,
  wantsCookie,
} from './identify.ts'
import { runIdempotent } from './runIdempotent.ts'

type Asked = {
  method: string
  path: string
  search: string
  body: Body
  match: Match
  requestId: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The endpoint by whose name the request is counted. */
    countedAs: string | undefined
  }
}

const consoleHeader = headerNames.console.toLowerCase()

const endsSession = new Set(['logOut', 'deleteUser', 'deleteUserInClass'])

/** Methods that a POST may turn into by what its body says. */
const overrides = ['GET', 'PUT', 'DELETE']

/** Milliseconds for which it is known that a session lives: as soon as that an ended one is known everywhere. */
const freshness = 100

/** After reading so many bytes others have their turn, before the work on them begins. */
const longRead = 64 * 1024

const mostTrappedOrigins = 100

/**
 * Handles every call to the API. What the headers say comes first: the endpoint is matched and counted,
 * and who has no business here is refused, before anything of the body is read. Then match, identify, hand to the
 * handler, answer.
 */
export function createRequestHandler(
  context: Context,
  findEndpoint: FindEndpoint,
  limiter: RateLimiter,
  bodies: Bodies,
  audit: Audit,
) {
  const { config, log } = context
  const isMasterAddress = createAddressList(config.masterKeyIps)
  const neededKeys = [config.javascriptKey, config.restAPIKey, config.clientKey].filter((key) => key !== undefined)
  const repeats = rejectDuplicates(context)
  const trappedOrigins = new Set<string>()

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    applyCors(config.allowOrigin, request, reply)
    if (request.method === 'OPTIONS') return reply.code(200).type('text/plain').send('OK')
    const cookie = wantsCookie(context, request)
    reportCookieTrap(request, reply, cookie)
    try {
      return await pass(request, reply, cookie)
    } catch (error) {
      if (error instanceof CountersignError) setRateLimit(reply, error.rateLimit)
      return answerError(reply, error, log)
    }
  }

  function reportCookieTrap(request: FastifyRequest, reply: FastifyReply, isGranted: boolean): void {
    const trap = findCookieTrap(context, request, isGranted)
    if (!trap) return
    reply.header(noticeHeader, `${trap} ${context.publicUrl}`)
    const origin = (request.headers.origin ?? '').slice(0, 200)
    // Callers choose the origin: each is named once, and only so many.
    if (trappedOrigins.size >= mostTrappedOrigins || trappedOrigins.has(origin)) return
    trappedOrigins.add(origin)
    log.warn(
      { origin, publicUrl: context.publicUrl },
      trap === 'cookie-origin'
        ? 'a page asked for a cookie session, but its origin is neither publicUrl nor in allowOrigin'
        : 'a page over http asked for a cookie session, but publicUrl is https: its browser will not keep the cookie',
    )
  }

  async function pass(request: FastifyRequest, reply: FastifyReply, cookie: boolean): Promise<FastifyReply> {
    const [path, search] = splitUrl(request.url, config.mount.length)
    const from = { address: request.ip, isForwarded: isForwarded(request) }
    const stream = request.body as Readable | undefined
    const written = request.method === 'HEAD' ? 'GET' : request.method
    const first = findEndpoint(written, path)
    request.countedAs = first?.endpoint.name
    // The older clients send everything by POST and say in the body what they mean.
    const override = request.headers['x-http-method-override']
    const mayTurn = written === 'POST' && (stream !== undefined || override !== undefined)
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
      const claims = named || !stream ? readClaims(request, {}) : undefined
      const early = named && claims ? await identifyFor(claims, rule) : undefined
      if (early && first && !mayTurn) checkRights(context, first, early, written, path)
      if (!stream) return await answer({}, early, claims)
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
    async function answer(body: Body, early: Caller | undefined, known?: Claims): Promise<FastifyReply> {
      if (typeof body._ContentType === 'string') sent.fileType = body._ContentType
      const method = readMethod(written, Object.hasOwn(body, '_method') ? body._method : override)
      const match = method === written ? first : findEndpoint(method, path)
      if (mayTurn) count(method, match)
      if (!match) throw notHere(method, path)
      const { endpoint } = match
      request.countedAs = endpoint.name === 'signUp' && body.authData ? 'signUpByAuthData' : endpoint.name
      const claims = known ?? readClaims(request, body)
      // While a body took its time to come in, the session may have ended.
      const isLate = performance.now() - began > freshness
      const caller = early && match === first && !isLate ? early : await identifyFor(claims, endpoint)
      if (claims.codeContext !== undefined) caller.codeContext = claims.codeContext
      caller.left = () => leftSignal(reply)
      checkRights(context, match, caller, method, path)
      if (cookie && endpoint.binds === 'begins') caller.binding ??= `browser:${setBindingCookie(context, reply)}`
      const asked = { method, path, search, body, match, requestId: caller.requestId }
      const response = await carryOut(asked, caller)
      const { status = endpoint.status, headers, text } = response
      if (endpoint.location)
        reply.header(
          'Location',
          `${context.publicUrl}${config.mount}${endpoint.location(response.output, match.params)}`,
        )
      if (status) reply.code(status)
      if (headers) reply.headers(headers)
      if (cookie && endpoint.binds === 'ends') clearBindingCookie(context, reply)
      // What a page with a cookie session gets is made without the token.
      if (text !== undefined && !(cookie && 'sessionToken' in response.output)) {
        return reply.type('application/json; charset=utf-8').send(text)
      }
      return reply.send(withoutToken(response.output, endpoint, caller))
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
      const encoding = request.headers['content-encoding']
      return readInflated(bodies, stream, encoding, largest, promised === undefined ? undefined : Number(promised))
    }

    async function readHeld({ content }: HeldBody): Promise<Body> {
      const cut = first?.endpoint.takesFile ? cutOutContent(content, config.jsonLimit) : { rest: content }
      if (cut.content) sent.base64 = cut.content
      const body = readBody(cut.rest, request.headers['content-type'], config.jsonLimit)
      if (cut.rest.length > longRead) await setImmediate()
      return body
    }

    function identifyFor(claims: Claims, endpoint: Pick<Endpoint, 'session' | 'localApp'>): Promise<Caller> {
      const identified = identifyCaller(claims, endpoint)
      if (!cookie) return identified
      return identified.catch((error: unknown) => {
        if (error instanceof CountersignError && error.code === errorCodes.InvalidSessionToken) {
          clearSessionCookie(context, reply)
        }
        throw error
      })
    }

    function identifyCaller(claims: Claims, endpoint: Pick<Endpoint, 'session' | 'localApp'>): Promise<Caller> {
      const identified = identify(context, request, claims, endpoint, { isMasterAddress, neededKeys, cookie })
      if (request.headers[consoleHeader] !== '1') return identified
      return identified.then(async (caller) => {
        await raiseOperator(context, caller)
        return caller
      })
    }

    async function carryOut(asked: Asked, caller: Caller): Promise<ResponseParts & { output: object }> {
      const { endpoint: found } = asked.match
      const endpoint = found.replacedBy?.(context) ?? found
      const response = toResponse(await run(endpoint, asked, caller))
      if (config.checkResponses) checkResponse(endpoint, response.output)
      if (isAudited(asked, caller)) await noteInAudit(asked, caller, response.output)
      return response
    }

    /** After the commit: what was undone is not in the log. Plain objects wait for no entry, rights and accounts do. */
    async function noteInAudit({ match, body }: Asked, caller: Caller, output: object): Promise<void> {
      const { className = '', objectId = (output as { objectId?: unknown }).objectId, ...rest } = match.params
      const subject = [className, objectId, ...Object.values(rest)].filter(
        (part) => typeof part === 'string' && part !== '',
      )
      const entry = {
        actor: actorOf(caller),
        action: match.endpoint.name,
        subject: subject.join('/'),
        // Names alone: what they hold may be secret, and an entry cannot be removed.
        details: {
          fields: Object.keys(body)
            .slice(0, 50)
            .map((name) => name.slice(0, 100)),
          ...(caller.session?.openedBy !== undefined && { as: `user:${caller.session.userId}` }),
        },
        address: caller.ipAddress,
      }
      const isPlain = match.endpoint.once && !className.startsWith('_')
      await context.db.afterCommit(() => {
        const noted = audit.note(entry, { isWaitedFor: !isPlain })
        if (!isPlain) return noted
        noted.catch(() => {})
      })
    }

    function run(endpoint: Endpoint, asked: Asked, caller: Caller): Promise<object> {
      const given = asked.method === 'GET' ? readGiven(asked, endpoint.textQuery ?? false) : asked.body
      endpoint.admit?.(context, caller)
      const { input, params } = parseRequest(endpoint, given, asked.match.params)
      const dispatch: Dispatch = (part) => findPart(part, caller)
      const work = () => endpoint.handle({ context, caller, input, params, dispatch, sent })
      const { requestId } = asked
      if (requestId === undefined || asked.method === 'GET') return work()
      if (repeats.matches(asked.path)) return repeats.claim(requestId).then(work)
      return endpoint.once ? runIdempotent(context, caller, { ...asked, requestId }, work) : work()
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
          checkRights(context, match, caller, method, path)
          const { output } = await carryOut({ method, path, search, body, match, requestId }, caller)
          return withoutToken(output, endpoint, caller)
        },
      }
    }

    function withoutToken(output: object, endpoint: Endpoint, { session, operator }: Caller): object {
      return cookie ? keepTokenInCookie(reply, output, session?.token, endpoint, operator !== undefined) : output
    }
  }

  /** A page with a cookie session never gets to see a token: what script cannot read, injected script cannot steal. */
  function keepTokenInCookie(
    reply: FastifyReply,
    output: object & { sessionToken?: string },
    current: string | undefined,
    endpoint: Endpoint,
    isOperator: boolean,
  ) {
    // An operator who deletes a user stays signed in.
    if (endsSession.has(endpoint.name) && !isOperator) clearSessionCookie(context, reply)
    if (output.sessionToken === undefined) return output
    const { sessionToken, ...rest } = output
    if (sessionToken !== current) setSessionCookie(context, reply, sessionToken)
    return rest
  }
}

/**
 * What the master key and operators write, also in a session that they opened for a user, and what anyone changes about
 * roles or by a link for operators.
 */
function isAudited({ method, match: { endpoint, params } }: Asked, caller: Caller): boolean {
  if (method === 'GET' && !endpoint.writes) return false
  if (endpoint.name === 'batch') return false
  if (caller.isMaster || caller.operator !== undefined || caller.session?.openedBy !== undefined) return true
  return params.className === '_Role' || rightChanges.has(endpoint.name)
}

const rightChanges = new Set(['createRole', 'updateRole', 'deleteRole', 'claimConsole', 'endImpersonation'])

/** Made on demand: most requests are over before anyone could ask. */
function leftSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController()
  if (raw.destroyed) left.abort()
  else raw.once('close', () => left.abort())
  return left.signal
}

/** What a query asks, in its address and in the body of a POST that stands for it. Some clients send conditions as text there. */
function readGiven({ search, body }: Asked, asText: boolean): Body {
  const given = search === '' ? body : { ...body, ...readQuery(search, asText) }
  return !asText && typeof given.where === 'string' ? { ...given, where: readJsonText(given.where) } : given
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

function setRateLimit(reply: FastifyReply, limit: RateLimit | undefined): void {
  if (limit?.limit === undefined) return
  reply.headers({
    'RateLimit-Limit': String(limit.limit),
    'RateLimit-Remaining': String(limit.remaining),
    'RateLimit-Reset': String(limit.reset),
  })
}

/** Fails where an endpoint answers something else than its contract says. For tests and development. */
function checkResponse({ name, output: schema, streams }: Endpoint, output: object): void {
  if (!schema || streams) return
  // As it goes over the wire: what JSON leaves out is not there.
  const checked = schema.safeParse(JSON.parse(JSON.stringify(output)))
  if (!checked.success) throw new Error(`The response of ${name} breaks its contract: ${checked.error.message}`)
}

/** As parse-server does it: a request id that was seen on one of the operator's paths is refused, whatever it is for. */
function rejectDuplicates({ db, clock, config }: Context) {
  const { paths, ttl } = config.idempotencyOptions
  const patterns = paths.map((path) => new RegExp(`^(?:${path.replace(/^\^?\/?/, '')})`, 'i'))

  return {
    matches: (path: string) => patterns.some((pattern) => pattern.test(path.replace(/^\/+/, ''))),
    async claim(requestId: string): Promise<void> {
      const now = clock.now()
      const claimed = await db.query(sql`
        insert into countersign.requests as r (id, request_id, fingerprint, answer, created, expires)
        values (${hashToken(`anyone ${requestId}`)}, ${requestId}, '', '',
          ${now}, ${new Date(now.getTime() + ttl * 1000)})
        on conflict (id) do update set created = excluded.created, expires = excluded.expires
        where r.expires <= ${now}
        returning 1`)
      if (claimed.length === 0) throw new CountersignError('DuplicateRequest', 'Duplicate request')
    },
  }
}
