import { randomBytes } from 'node:crypto'
import { CountersignError, refuse } from '@countersign/protocol'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Context } from '../context/Context.ts'
import { answerError } from './answerError.ts'
import { applyCors } from './cors.ts'
import { createAsk } from './createAsk.ts'
import { createBodies } from './createBodies.ts'
import { createGate } from './createGate.ts'
import { createRateLimiter } from './createRateLimiter.ts'
import { createRouter } from './createRouter.ts'
import { describeApi } from './describeApi.ts'
import { accountEndpoints } from './endpoints/accounts.ts'
import { addressEndpoints } from './endpoints/addresses.ts'
import { aggregateEndpoints } from './endpoints/aggregates.ts'
import { batchEndpoints } from './endpoints/batches.ts'
import { chainEndpoints } from './endpoints/chain.ts'
import { configEndpoints } from './endpoints/configs.ts'
import { fileEndpoints } from './endpoints/files.ts'
import { functionEndpoints } from './endpoints/functions.ts'
import { gateEndpoints } from './endpoints/gates.ts'
import { installationEndpoints } from './endpoints/installations.ts'
import { jobEndpoints } from './endpoints/jobs.ts'
import { objectEndpoints } from './endpoints/objects.ts'
import { operationEndpoints } from './endpoints/operations.ts'
import { passkeyEndpoints } from './endpoints/passkeys.ts'
import { queryEndpoints } from './endpoints/queries.ts'
import { recoveryEndpoints } from './endpoints/recovery.ts'
import { remoteCodeEndpoints } from './endpoints/remoteCode.ts'
import { schemaEndpoints } from './endpoints/schemas.ts'
import { sessionEndpoints } from './endpoints/sessions.ts'
import { solanaEndpoints } from './endpoints/solana.ts'
import { walletEndpoints } from './endpoints/wallets.ts'
import { waysInEndpoints } from './endpoints/waysIn.ts'
import { webhookEndpoints } from './endpoints/webhooks.ts'
import { limitBodyTime } from './limitBodyTime.ts'
import { registerFiles } from './registerFiles.ts'
import { registerOldPages } from './registerOldPages.ts'
import { registerWebApp } from './registerWebApp.ts'
import { watchLoad } from './watchLoad.ts'

const endpoints = [
  ...accountEndpoints,
  ...sessionEndpoints,
  ...walletEndpoints,
  ...addressEndpoints,
  ...waysInEndpoints,
  ...passkeyEndpoints,
  ...recoveryEndpoints,
  ...functionEndpoints,
  ...fileEndpoints,
  ...jobEndpoints,
  ...webhookEndpoints,
  ...chainEndpoints,
  ...gateEndpoints,
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
]

/** The HTTP server, not listening yet: the API under its mount, health, and the web application. */
export async function createServer(context: Context): Promise<FastifyInstance> {
  const { config, log, db, clock } = context
  const run = randomBytes(4).toString('hex')
  let count = 0
  const hops = config.trustProxy
  const app = Fastify({
    trustProxy: typeof hops === 'number' ? (_address, hop) => hop < hops : hops,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: config.files.uploadTimeout * 1000,
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
  // Bodies are JSON whatever their content type says; the gate reads them, once it knows from the headers who sends them.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))

  const load = watchLoad(app, context)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    if (load.isOverloaded() && request.url.startsWith(`${config.mount}/`) && !request.url.endsWith('/health'))
      return done(refuse('serverBusy', undefined, { rateLimit: { retryAfter: 1 } }))
    // The router would take what stands before it for the path, and others would see another path than it.
    const isPlain = !(request.url.split('?', 1)[0] ?? '').includes('#')
    done(isPlain ? undefined : new CountersignError('InvalidJson', 'The address of a request has no part behind a #.'))
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!log.isLevelEnabled('info')) return done()
    // The path alone: older clients put passwords into the query string.
    const path = request.url.split('?', 1)[0]
    log.info(
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

  limitBodyTime(app)

  // What fails before the gate, such as a body over the limit, answers like everything else.
  app.setErrorHandler((error, request, reply) => {
    applyCors(config.allowOrigin, request, reply)
    return answerError(reply, error, log)
  })

  const findEndpoint = createRouter(endpoints)
  const limiter = createRateLimiter(config.rateLimit, clock)
  const gate = createGate(context, findEndpoint, limiter, createBodies(config.bodyBudget))
  context.ask = createAsk(context, findEndpoint)
  // Clients that watch for the server to come back ask with any method and without keys.
  app.all(`${config.mount}/health`, (_request, reply) =>
    reply.header('Access-Control-Allow-Origin', '*').send({ status: 'ok' }),
  )
  registerOldPages(app, context)
  registerFiles(app, context, gate, limiter)
  app.all(config.mount, gate)
  app.all(`${config.mount}/*`, gate)

  app.get('/health', { logLevel: 'silent' }, () => ({ status: 'ok' }))
  app.get('/ready', async (_request, reply) => {
    const reachable = await within(2_000, db.query({ text: 'select 1' })).then(
      () => true,
      () => false,
    )
    if (reachable) return { status: 'ready' }
    return reply
      .code(503)
      .header('Retry-After', '1')
      .send({ status: 'unavailable', reason: 'The database does not answer.' })
  })
  app.get('/openapi.json', () => describeApi(context, endpoints))
  await registerWebApp(app, context)
  return app
}

function refuseSchema(): never {
  throw new Error('Routes have no schemas: the gate and the handlers read what comes in.')
}

function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('timed out')), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
