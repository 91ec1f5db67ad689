import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { CountersignError, refuse } from '@countersign/protocol'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Audit } from '../audit/startAudit.ts'
import type { Config } from '../config/Config.ts'
import type { Context } from '../context/Context.ts'
import { logOf } from '../context/createLogger.ts'
import { sql } from '../db/sql.ts'
import type { Metrics } from '../metrics/createMetrics.ts'
import { getParams } from '../objects/getObject.ts'
import { updateParams } from '../objects/updateObject.ts'
import { createAsk } from './createAsk.ts'
import { describeApi } from './describeApi.ts'
import { defineEndpoint, type Endpoint } from './Endpoint.ts'
import { accountEndpoints } from './endpoints/accounts.ts'
import { addressEndpoints } from './endpoints/addresses.ts'
import { aggregateEndpoints } from './endpoints/aggregates.ts'
import { batchEndpoints } from './endpoints/batches.ts'
import { chainEndpoints } from './endpoints/chain.ts'
import { consoleEndpoints } from './endpoints/console.ts'
import { dashboardEndpoints } from './endpoints/dashboard.ts'
import { emailCodeEndpoints } from './endpoints/emailCode.ts'
import { fileEndpoints } from './endpoints/files.ts'
import { functionEndpoints } from './endpoints/functions.ts'
import { installationEndpoints } from './endpoints/installations.ts'
import { jobEndpoints } from './endpoints/jobs.ts'
import { objectEndpoints } from './endpoints/objects.ts'
import { operationEndpoints } from './endpoints/operations.ts'
import { passkeyEndpoints } from './endpoints/passkeys.ts'
import { providerEndpoints } from './endpoints/providers.ts'
import { queryEndpoints } from './endpoints/queries.ts'
import { recoveryEndpoints } from './endpoints/recovery.ts'
import { remoteCodeEndpoints } from './endpoints/remoteCode.ts'
import { schemaEndpoints } from './endpoints/schemas.ts'
import { secondFactorEndpoints } from './endpoints/secondFactor.ts'
import { sessionEndpoints } from './endpoints/sessions.ts'
import { signInMethodEndpoints } from './endpoints/signInMethods.ts'
import { solanaEndpoints } from './endpoints/solana.ts'
import { syncEndpoints } from './endpoints/syncs.ts'
import { tokenGateEndpoints } from './endpoints/tokenGates.ts'
import { walletEndpoints } from './endpoints/wallets.ts'
import { webhookEndpoints } from './endpoints/webhooks.ts'
import { mayReadMetrics } from './openMetricsPort.ts'
import { registerFiles } from './registerFiles.ts'
import { registerProviderCallback } from './registerProviderCallback.ts'
import { registerLegacyRedirects, registerWebApp } from './registerWebApp.ts'
import { answerError } from './request/answerError.ts'
import { applyCors } from './request/cors.ts'
import { createBodies, limitBodyTime } from './request/createBodies.ts'
import { createRateLimiter } from './request/createRateLimiter.ts'
import { createRequestHandler } from './request/createRequestHandler.ts'
import { createRouter } from './request/createRouter.ts'
import { toMount } from './request/mounts.ts'

const configEndpoints: Endpoint[] = [
  defineEndpoint('getConfig', { handle: ({ context, caller }) => getParams(context, caller) }),
  defineEndpoint('updateConfig', { handle: ({ context, caller, input }) => updateParams(context, caller, input) }),
]

const endpoints = [
  ...accountEndpoints,
  ...sessionEndpoints,
  ...walletEndpoints,
  ...addressEndpoints,
  ...signInMethodEndpoints,
  ...passkeyEndpoints,
  ...providerEndpoints,
  ...recoveryEndpoints,
  ...emailCodeEndpoints,
  ...secondFactorEndpoints,
  ...functionEndpoints,
  ...fileEndpoints,
  ...jobEndpoints,
  ...webhookEndpoints,
  ...syncEndpoints,
  ...chainEndpoints,
  ...tokenGateEndpoints,
  ...solanaEndpoints,
  ...remoteCodeEndpoints,
  ...objectEndpoints,
  ...installationEndpoints,
  ...queryEndpoints,
  ...aggregateEndpoints,
  ...schemaEndpoints,
  ...batchEndpoints,
  ...configEndpoints,
  ...operationEndpoints,
  ...consoleEndpoints,
  ...dashboardEndpoints,
]

/** The HTTP server, not listening yet: the API under its mount, health, and the web application. */
export async function createServer(context: Context, audit: Audit, metrics?: Metrics): Promise<FastifyInstance> {
  const { config, log, db, clock } = context
  const run = randomBytes(4).toString('hex')
  let count = 0
  const hops = config.trustProxy
  const app = Fastify({
    trustProxy: typeof hops === 'number' ? (_address, hop) => hop < hops : hops,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: config.files.uploadTimeout * 1000,
    // Other paths of the API are read as the first: what follows knows one alone.
    rewriteUrl: ({ url = '/' }) => toMount(config, url),
    genReqId: () => `${run}-${(++count).toString(36)}`,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // An address that cannot be decoded fails before any handler, and answers like everything else.
    frameworkErrors: (error, request, reply) => {
      applyCors(config.allowOrigin, request, reply)
      answerError(reply, error, log)
    },
    // No route has a schema for Fastify: without this it would load the hundred files of its compilers for nothing.
    schemaController: { compilersFactory: { buildValidator: () => refuseSchema, buildSerializer: () => refuseSchema } },
  })
  // Bodies are JSON whatever their content type says; the request handler reads them, once it knows from the headers who sends them.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))

  const load = watchLoad(app, context)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    // The next request of this connection is for another server; a connection that is closed under it would fail it.
    if (context.isStopping) reply.header('Connection', 'close')
    if (load.isOverloaded() && request.url.startsWith(`${config.mount}/`) && !request.url.endsWith('/health'))
      return done(refuse('serverBusy', undefined, { rateLimit: { retryAfter: 1 } }))
    // The router would take what stands before it for the path, and others would see another path than it.
    const isPlain = !request.url.includes('#') || !(request.url.split('?', 1)[0] ?? '').includes('#')
    done(isPlain ? undefined : new CountersignError('InvalidJson', 'The address of a request has no part behind a #.'))
  })
  app.decorateRequest('countedAs', undefined)
  const { figures } = context.services
  if (figures) {
    app.addHook('onResponse', (request, reply, done) => {
      if (request.countedAs !== undefined) figures.observe(request.countedAs, reply.statusCode, reply.elapsedTime)
      done()
    })
  }
  // What is no endpoint is counted under one of few names: a path is the caller's choice, and would fill the memory.
  if (metrics) {
    app.addHook('onResponse', (request, reply, done) => {
      const isApi = request.url.startsWith(config.mount)
      metrics.observeRequest(request.countedAs ?? (isApi ? 'unknown' : 'web'), reply.statusCode, reply.elapsedTime)
      done()
    })
    if (config.metrics?.port === undefined)
      app.get('/metrics', (request, reply) => sendMetrics(metrics, config, request, reply))
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

  // What fails before the request handler, such as a body over the limit, answers like everything else.
  app.setErrorHandler((error, request, reply) => {
    applyCors(config.allowOrigin, request, reply)
    return answerError(reply, error, log)
  })

  const findEndpoint = createRouter(endpoints)
  const limiter = createRateLimiter(config.rateLimit, clock)
  const handleRequest = createRequestHandler(context, findEndpoint, limiter, createBodies(config.bodyBudget), audit)
  context.ask = createAsk(context, findEndpoint)
  // Clients that watch for the server to come back ask with any method and without keys.
  app.all(`${config.mount}/health`, (_request, reply) =>
    reply.header('Access-Control-Allow-Origin', '*').send({ status: 'ok' }),
  )
  registerLegacyRedirects(app, context)
  registerFiles(app, context, handleRequest, limiter)
  registerProviderCallback(app, context, limiter)
  app.all(config.mount, handleRequest)
  app.all(`${config.mount}/*`, handleRequest)

  app.get('/health', { logLevel: 'silent' }, () => ({ status: 'ok' }))
  app.get('/ready', async (_request, reply) => {
    if (context.isStopping) return reply.code(503).send({ status: 'stopping', reason: 'The server is about to stop.' })
    const reachable = await within(2_000, db.query(sql`select 1`)).then(
      () => true,
      () => false,
    )
    if (reachable) return { status: 'ready' }
    return reply
      .code(503)
      .header('Retry-After', '1')
      .send({ status: 'unavailable', reason: 'The database does not answer.' })
  })
  // Made once: it takes longer than a hundred requests, and anybody may ask for it.
  let description: Buffer | undefined
  app.get('/openapi.json', (_request, reply) => {
    description ??= Buffer.from(JSON.stringify(describeApi(context, endpoints)))
    return reply.type('application/json; charset=utf-8').send(description)
  })
  await registerWebApp(app, context)
  return app
}

async function sendMetrics(metrics: Metrics, config: Config, request: FastifyRequest, reply: FastifyReply) {
  if (!mayReadMetrics(config, request.headers.authorization)) return reply.code(401).send({ error: 'unauthorized' })
  const { type, text } = await metrics.write()
  return reply.type(type).send(text)
}

function refuseSchema(): never {
  throw new Error('Routes have no schemas: the request handler parses what comes in.')
}

function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('timed out')), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

export type Load = { isOverloaded(): boolean }

/** Milliseconds between two looks at the delays. */
const window = 1000

/**
 * Measures how late the event loop is. The server is overloaded while the middle delay of two seconds in a
 * row is over `overloadDelay`: one long pause does not count, a queue that grows does. Refusing early then keeps the answers to
 * everyone else on time.
 */
function watchLoad(app: FastifyInstance, { config, log }: Context): Load {
  if (config.overloadDelay === 0) return { isOverloaded: () => false }
  const delays = monitorEventLoopDelay({ resolution: 20 })
  let isOverloaded = false
  let late = 0
  delays.enable()
  const timer = setInterval(() => {
    // The timer's own period is part of what is measured.
    const delay = delays.percentile(50) / 1e6 - 20
    delays.reset()
    const was = isOverloaded
    late = delay > config.overloadDelay ? late + 1 : 0
    isOverloaded = late >= 2
    if (isOverloaded !== was)
      log.warn({ delay: Math.round(delay) }, isOverloaded ? 'overloaded' : 'no longer overloaded')
  }, window)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delays.disable()
  })
  return { isOverloaded: () => isOverloaded }
}
