import { randomBytes } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { CountersignError, refuse } from '@countersign/protocol'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import type { Audit } from '../audit/startAudit.ts'
import { shareUsedUpRules } from '../console/signInLimits.ts'
import type { Context } from '../context/Context.ts'
import type { Metrics } from '../metrics/createMetrics.ts'
import { isTrustedProxy, normalizeForwarded } from '../network/clientAddress.ts'
import { createAsk } from './createAsk.ts'
import { endpoints } from './generated/endpoints.ts'
import { registerMcp } from './mcp/registerMcp.ts'
import { observeResponses } from './observeResponses.ts'
import { registerAttackProof } from './registerAttackProof.ts'
import { registerDemoNode } from './registerDemoNode.ts'
import { registerFiles } from './registerFiles.ts'
import { registerOidc } from './registerOidc.ts'
import { registerProbes } from './registerProbes.ts'
import { registerProviderCallback } from './registerProviderCallback.ts'
import { findApiPage, registerLegacyRedirects, registerWebApp } from './registerWebApp.ts'
import type { ApiReply, ApiRequest } from './request/ApiRequest.ts'
import { type Admit, createDirectAnswers } from './request/answerDirectly.ts'
import { answerError } from './request/answerError.ts'
import { applyCors } from './request/cors.ts'
import { createBodies } from './request/createBodies.ts'
import { createRateLimiter } from './request/createRateLimiter.ts'
import { createRequestHandler } from './request/createRequestHandler.ts'
import { createRouter } from './request/createRouter.ts'
import { createMountReader, readTarget } from './request/requestTarget.ts'
import { limitBodyTimes } from './request/takeBody.ts'
import { type Load, watchLoad } from './watchLoad.ts'

declare module 'node:net' {
  interface Socket {
    requestCount?: number
  }
}

/**
 * Maximum requests per connection before it is closed with a response: a connection that is always busy keeps others
 * out.
 */
const mostRequests = 1_000

/** Node.js's own limit (`maxRequestsPerSocket`) tells the client, but does not close. */
function isUsedUp({ socket }: IncomingMessage): boolean {
  socket.requestCount = (socket.requestCount ?? 0) + 1
  return socket.requestCount >= mostRequests
}

/** Writes the headers of every response. Returns the refusal of a request that must not be carried out. */
function createAdmit(context: Context, load: Load): Admit {
  const isHttps = context.publicUrl.startsWith('https:')
  return (request, reply, raw, { isApi, isProbe }) => {
    normalizeForwarded(request.headers)
    reply.header('X-Request-Id', request.id)
    if (isHttps) reply.header('Strict-Transport-Security', 'max-age=31536000')
    const isOverloaded = load.isOverloaded() && !isProbe
    // The next request of this connection is for another server, or queues with everyone else's: closing the connection
    // under it would fail it.
    if (context.isStopping || isOverloaded || isUsedUp(raw)) reply.header('Connection', 'close')
    if (isOverloaded && isApi) return refuse('serverBusy', undefined, { rateLimit: { retryAfter: 1 } })
    // The router would take what stands before it for the path, and others would see another path than it.
    const isPlain = !request.url.includes('#') || !(request.url.split('?', 1)[0] ?? '').includes('#')
    return isPlain ? undefined : new CountersignError('InvalidJson', 'A request URL must not contain a fragment (#).')
  }
}

/** The HTTP server, not listening yet: the API under its mount, health, and the web application. */
export async function createServer(context: Context, audit: Audit, metrics?: Metrics): Promise<FastifyInstance> {
  const { config, log } = context
  const { mount } = config
  const run = randomBytes(4).toString('hex')
  let count = 0
  const toMount = createMountReader(config)
  const readUrl = (url: string) => toMount(readTarget(url))
  const nextId = () => `${run}-${(++count).toString(36)}`
  const findEndpoint = createRouter(endpoints)
  const limiter = createRateLimiter(() => config.rateLimit, context.limits, 'requests')
  const handleRequest = createRequestHandler(context, findEndpoint, limiter, createBodies(config.bodyBudget), audit)
  const observe = observeResponses(context, metrics)
  const fail = (request: ApiRequest, reply: ApiReply, error: unknown) => {
    applyCors(config.allowOrigin, request, reply)
    answerError(reply, error, log)
  }
  const load = watchLoad(context)
  const admit = createAdmit(context, load)
  const answerDirectly = createDirectAnswers({
    ...{ context, findEndpoint, readUrl, nextId, admit, handle: handleRequest, fail, observe },
  })
  const app = Fastify({
    trustProxy: isTrustedProxy(config) ?? false,
    // Traces follow a request by the hooks of Fastify.
    serverFactory: (handler, { keepAliveTimeout, requestTimeout }) => {
      const server = createHttpServer(
        config.traces ? handler : (raw, response) => void (answerDirectly(raw, response) || handler(raw, response)),
      )
      return Object.assign(server, { keepAliveTimeout, requestTimeout })
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: config.files.uploadTimeout * 1000,
    // Other paths of the API are read as the first: what follows knows one alone.
    rewriteUrl: ({ url = '/' }) => readUrl(url),
    genReqId: nextId,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // An address that cannot be decoded fails before any handler, with the same error format.
    frameworkErrors: (error, request, reply) => {
      fail(request, reply.header('Cache-Control', 'no-store'), error)
    },
    // No route has a schema for Fastify: without this it would load the hundred files of its compilers for nothing.
    schemaController: { compilersFactory: { buildValidator: () => refuseSchema, buildSerializer: () => refuseSchema } },
  })
  // Bodies are JSON for any content type; the request handler reads them once the headers have named the sender.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))

  app.addHook('onRequest', (request, reply, done) => {
    const { url, config: route } = request.routeOptions
    // By the route that was found, never by the text of the address: the web application is cheap, and stays.
    const isApi = url !== undefined && (url === '/openapi.json' || url === mount || url.startsWith(`${mount}/`))
    done(admit(request, reply, request.raw, { isApi, isProbe: route.isProbe ?? false }))
  })
  // Deny by default: a shared cache could give one caller's data to another. Public files set their own lifetime.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!reply.hasHeader('Cache-Control') && !reply.raw.hasHeader('Cache-Control'))
      reply.header('Cache-Control', 'no-store')
    done()
  })
  app.decorateRequest('countedAs', undefined)
  app.decorateRequest('userId', undefined)
  app.decorateRequest('isConsoleRead', false)
  app.addHook('onResponse', (request, reply, done) => {
    observe(request, reply.statusCode, reply.elapsedTime)
    // The next request of the connection would wait forever behind a body that nobody read to its end. The API reads
    // its bodies itself: resuming an upload here would take chunks from it.
    if (!request.raw.complete && /^\/(oidc|mcp)\b/.test(request.routeOptions.url ?? '')) request.raw.resume()
    done()
  })
  limitBodyTimes(app)
  app.addHook('onClose', async () => load.stop())

  // Failures before the request handler, such as an oversized body, get the same error format.
  app.setErrorHandler((error, request, reply) => {
    fail(request, reply, error)
    return reply
  })

  const endSharing = shareUsedUpRules(context, limiter.listUsedUp)
  app.addHook('onClose', async () => endSharing())
  context.ask = createAsk(context, findEndpoint)
  registerLegacyRedirects(app, context)
  registerFiles(app, context, handleRequest, limiter)
  registerProviderCallback(app, context, limiter)
  registerOidc(app, context, limiter)
  registerMcp(app, { context, limiter, findEndpoint, audit })
  registerDemoNode(app, context, limiter)
  app.all(config.mount, (request, reply) => {
    const page = findApiPage(context, request)
    return page === undefined ? handleRequest(request, reply) : reply.redirect(page, 302)
  })
  app.all(`${config.mount}/*`, handleRequest)

  registerProbes(app, context, endpoints, metrics)
  registerAttackProof(app, context)
  await registerWebApp(app, context)
  return app
}

function refuseSchema(): never {
  throw new Error('Routes must not have schemas: the request handler parses the input.')
}
