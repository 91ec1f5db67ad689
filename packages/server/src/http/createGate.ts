import { Readable } from 'node:stream'
import { CountersignError, errorCodes, type RateLimit } from '@countersign/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/Context.ts'
import { answerError } from './answerError.ts'
import { answerOnce } from './answerOnce.ts'
import { checkRights } from './checkRights.ts'
import { applyCors } from './cors.ts'
import { createRateLimiter } from './createRateLimiter.ts'
import type { FindEndpoint, Match } from './createRouter.ts'
import { type Dispatch, type Endpoint, headersOf, isCreated, type Sent, textOf } from './Endpoint.ts'
import { identify, readClaims } from './identify.ts'
import { isForwarded } from './isForwarded.ts'
import { createAddressList } from './keys.ts'
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

/** The gate: every call to the API passes here. Match, identify, hand to the handler, answer. */
export function createGate(context: Context, findEndpoint: FindEndpoint) {
  const { config, log, clock } = context
  const isMasterAddress = createAddressList(config.masterKeyIps)
  const neededKeys = [config.javascriptKey, config.restAPIKey, config.clientKey].filter((key) => key !== undefined)
  const countRequest = createRateLimiter(config.rateLimit, clock)
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
    const sent: Sent = { headers: request.headers }
    if (request.body instanceof Readable) sent.stream = request.body
    const body = sent.stream ? {} : readBody(request.body as Buffer | undefined, request.headers['content-type'])
    if (typeof body._ContentType === 'string') sent.fileType = body._ContentType
    const method = readMethod(request.method, body._method)
    const from = { address: request.ip, isForwarded: isForwarded(request) }
    setRateLimit(reply, countRequest({ method, path, ...from }))
    const match = findEndpoint(method, path)
    if (!match) throw new CountersignError('CommandUnavailable', `There is no ${method} ${path} here.`, { status: 404 })
    const { endpoint } = match
    const claims = readClaims(request, body)
    const caller = await identify(context, request, claims, endpoint, { isMasterAddress, neededKeys, cookie }).catch(
      (error) => {
        if (cookie && error instanceof CountersignError && error.code === errorCodes.InvalidSessionToken) {
          clearSessionCookie(context, reply)
        }
        throw error
      },
    )
    caller.left = () => leftSignal(reply)
    checkRights(endpoint, caller)
    if (cookie && endpoint.binds === 'begins') caller.binding ??= `browser:${setBindingCookie(context, reply)}`
    const output = await carryOut({ method, path, search, body, match, requestId: caller.requestId })
    if (endpoint.location)
      reply.header('Location', `${context.publicUrl}${config.mount}${endpoint.location(output, match.params)}`)
    if (endpoint.status || isCreated(output)) reply.code(endpoint.status ?? 201)
    reply.headers(headersOf(output))
    if (cookie && endpoint.binds === 'ends') clearBindingCookie(context, reply)
    const text = textOf(output)
    if (text !== undefined) return reply.type('application/json; charset=utf-8').send(text)
    return reply.send(withoutToken(output, endpoint))

    async function carryOut(asked: Asked): Promise<object> {
      const { endpoint, params } = asked.match
      const input =
        asked.method === 'GET' ? { ...asked.body, ...readQuery(asked.search, endpoint.textQuery ?? false) } : asked.body
      const work = () => endpoint.handle(context, caller, input, params, dispatch, sent)
      const { requestId } = asked
      if (requestId === undefined || asked.method === 'GET') return work()
      if (repeats.matches(asked.path)) {
        await repeats.claim(requestId)
        return work()
      }
      return endpoint.once ? answerOnce(context, caller, { ...asked, requestId }, work) : work()
    }

    function dispatch({ method, path: url, body }: Parameters<Dispatch>[0]): ReturnType<Dispatch> {
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
          countRequest({ method, path, ...from })
          checkRights(endpoint, caller)
          return withoutToken(await carryOut({ method, path, search, body, match, requestId }), endpoint)
        },
      }
    }

    function withoutToken(output: object, endpoint: Endpoint): object {
      return cookie ? keepTokenInCookie(reply, output, caller.session?.token, endpoint) : output
    }
  }

  /** A page with a cookie session never gets to see a token: what script cannot read, injected script cannot steal. */
  function keepTokenInCookie(
    reply: FastifyReply,
    output: object & { sessionToken?: string },
    current: string | undefined,
    endpoint: Endpoint,
  ) {
    if (endpoint.name === 'logOut' || endpoint.name === 'deleteUser') clearSessionCookie(context, reply)
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
  if (method !== 'POST' || override === undefined) return method === 'HEAD' ? 'GET' : method
  if (typeof override !== 'string' || !/^(GET|POST|PUT|DELETE)$/i.test(override)) {
    throw new CountersignError('InvalidJson', '_method must be GET, POST, PUT or DELETE.')
  }
  return override.toUpperCase()
}

function setRateLimit(reply: FastifyReply, limit: RateLimit | undefined): void {
  if (!limit) return
  reply.headers({
    'RateLimit-Limit': String(limit.limit),
    'RateLimit-Remaining': String(limit.remaining),
    'RateLimit-Reset': String(limit.reset),
  })
}
