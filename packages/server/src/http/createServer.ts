import { randomBytes } from 'node:crypto'
import { CountersignError, refuse } from '@countersign/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import type { Audit } from '../audit/startAudit.ts'
import type { Config } from '../config/Config.ts'
import type { Context } from '../context/Context.ts'
import { logOf } from '../log/createLogger.ts'
import type { Metrics } from '../metrics/createMetrics.ts'
import { normalizeForwarded } from '../network/clientAddress.ts'
import { createAsk } from './createAsk.ts'
import { endpoints } from './generated/endpoints.ts'
import { registerFiles } from './registerFiles.ts'
import { registerProbes } from './registerProbes.ts'
import { registerProviderCallback } from './registerProviderCallback.ts'
import { registerLegacyRedirects, registerWebApp } from './registerWebApp.ts'
import { answerError } from './request/answerError.ts'
import { applyCors } from './request/cors.ts'
import { createBodies } from './request/createBodies.ts'
import { createRateLimiter } from './request/createRateLimiter.ts'
import { createRequestHandler } from './request/createRequestHandler.ts'
import { createRouter } from './request/createRouter.ts'
import { limitBodyTime } from './request/limitBodyTime.ts'
import { createMountReader, readTarget } from './request/requestTarget.ts'
import { watchLoad } from './watchLoad.ts'

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
function isUsedUp({ socket }: FastifyRequest): boolean {
  socket.requestCount = (socket.requestCount ?? 0) + 1
  return socket.requestCount >= mostRequests
}

/** By the route that was found, never by the text of the address: the web application is cheap, and stays. */
function isGuarded({ mount }: Config, { routeOptions: { url } }: FastifyRequest): boolean {
  return url !== undefined && (url === '/openapi.json' || url === mount || url.startsWith(`${mount}/`))
}

/** The HTTP server, not listening yet: the API under its mount, health, and the web application. */
export async function createServer(context: Context, audit: Audit, metrics?: Metrics): Promise<FastifyInstance> {
  const { config, log, clock } = context
  const run = randomBytes(4).toString('hex')
  let count = 0
  const hops = config.trustProxy
  const toMount = createMountReader(config)
  const app = Fastify({
    trustProxy: typeof hops === 'number' ? (_address, hop) => hop < hops : hops,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: config.files.uploadTimeout * 1000,
    // Other paths of the API are read as the first: what follows knows one alone.
    rewriteUrl: ({ url = '/' }) => toMount(readTarget(url)),
    genReqId: () => `${run}-${(++count).toString(36)}`,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // An address that cannot be decoded fails before any handler, with the same error format.
    frameworkErrors: (error, request, reply) => {
      applyCors(config.allowOrigin, request, reply)
      answerError(reply.header('Cache-Control', 'no-store'), error, log)
    },
    // No route has a schema for Fastify: without this it would load the hundred files of its compilers for nothing.
    schemaController: { compilersFactory: { buildValidator: () => refuseSchema, buildSerializer: () => refuseSchema } },
  })
  // Bodies are JSON for any content type; the request handler reads them once the headers have named the sender.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))

  const load = watchLoad(app, context)
  const isHttps = context.publicUrl.startsWith('https:')
  app.addHook('onRequest', (request, reply, done) => {
    normalizeForwarded(request.headers)
    reply.header('X-Request-Id', request.id)
    if (isHttps) reply.header('Strict-Transport-Security', 'max-age=31536000')
    const isOverloaded = load.isOverloaded() && !request.routeOptions.config.isProbe
    // The next request of this connection is for another server, or queues with everyone else's: closing the connection
    // under it would fail it.
    if (context.isStopping || isOverloaded || isUsedUp(request)) reply.header('Connection', 'close')
    if (isOverloaded && isGuarded(config, request))
      return done(refuse('serverBusy', undefined, { rateLimit: { retryAfter: 1 } }))
    // The router would take what stands before it for the path, and others would see another path than it.
    const isPlain = !request.url.includes('#') || !(request.url.split('?', 1)[0] ?? '').includes('#')
    done(isPlain ? undefined : new CountersignError('InvalidJson', 'A request URL must not contain a fragment (#).'))
  })
  // Deny by default: a shared cache could give one caller's data to another. Public files set their own lifetime.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!reply.hasHeader('Cache-Control') && !reply.raw.hasHeader('Cache-Control'))
      reply.header('Cache-Control', 'no-store')
    done()
  })
  app.decorateRequest('countedAs', undefined)
  const { figures } = context.services
  if (figures) {
    app.addHook('onResponse', (request, reply, done) => {
      if (request.countedAs !== undefined) figures.observe(request.countedAs, reply.statusCode, reply.elapsedTime)
      done()
    })
  }
  // Unknown paths are counted under a few fixed names: callers choose paths, and could fill the memory.
  if (metrics) {
    app.addHook('onResponse', (request, reply, done) => {
      const isApi = request.url.startsWith(config.mount)
      metrics.observeRequest(request.countedAs ?? (isApi ? 'unknown' : 'web'), reply.statusCode, reply.elapsedTime)
      done()
    })
  }
  const quiet = new Set(['/health', '/ready', '/metrics', `${config.mount}/health`])
  const requestLog = logOf(log, config, 'requests')
  if (requestLog.isLevelEnabled('info')) {
    app.addHook('onResponse', (request, reply, done) => {
      // The path alone: older clients put passwords into the query string.
      const path = request.url.split('?', 1)[0] as string
      // Asked every few seconds by whatever watches over the server.
      if ((reply.statusCode < 400 || context.isStopping) && quiet.has(path)) return done()
      requestLog.info(
        {
          requestId: request.id,
          method: request.method,
          path,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
        },
        'request',
      )
      done()
    })
  }

  limitBodyTime(app)

  // Failures before the request handler, such as an oversized body, get the same error format.
  app.setErrorHandler((error, request, reply) => {
    applyCors(config.allowOrigin, request, reply)
    return answerError(reply, error, log)
  })

  const findEndpoint = createRouter(endpoints)
  const limiter = createRateLimiter(config.rateLimit, clock)
  const handleRequest = createRequestHandler(context, findEndpoint, limiter, createBodies(config.bodyBudget), audit)
  context.ask = createAsk(context, findEndpoint)
  registerLegacyRedirects(app, context)
  registerFiles(app, context, handleRequest, limiter)
  registerProviderCallback(app, context, limiter)
  app.all(config.mount, handleRequest)
  app.all(`${config.mount}/*`, handleRequest)

  registerProbes(app, context, endpoints, metrics)
  await registerWebApp(app, context)
  return app
}

function refuseSchema(): never {
  throw new Error('Routes must not have schemas: the request handler parses the input.')
}
