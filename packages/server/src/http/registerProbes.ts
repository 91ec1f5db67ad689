import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import type { Endpoint } from '../endpoint/Endpoint.ts'
import type { Metrics } from '../metrics/createMetrics.ts'
import { createAddressList, isForwarded } from '../network/clientAddress.ts'
import { describeApi } from './describeApi.ts'
import { mayReadMetrics } from './openMetricsPort.ts'
import { findTokenText } from './request/claims.ts'
import { createRateLimiter } from './request/createRateLimiter.ts'
import { identify } from './request/identify.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Served even by an overloaded server: monitoring must not take it for dead. */
    isProbe?: boolean
  }
}

const config = { isProbe: true }

/** Routes for what watches over the server, and the description of the API. */
export function registerProbes(
  app: FastifyInstance,
  context: Context,
  endpoints: Endpoint[],
  metrics: Metrics | undefined,
): void {
  // Clients that watch for the server to come back ask with any method and without keys.
  app.all(`${context.config.mount}/health`, { config }, (_request, reply) =>
    reply.header('Access-Control-Allow-Origin', '*').send({ status: 'ok' }),
  )
  app.get('/health', { config, logLevel: 'silent' }, () => ({ status: 'ok' }))
  const isReachable = createReachability(context)
  app.get('/ready', { config }, async (_request, reply) => {
    if (context.isStopping) return reply.code(503).send({ status: 'stopping', reason: 'The server is about to stop.' })
    if (await isReachable()) return { status: 'ready' }
    return reply
      .code(503)
      .header('Retry-After', '1')
      .send({ status: 'unavailable', reason: 'The database does not respond.' })
  })
  if (metrics && context.config.metrics?.port === undefined)
    app.get('/metrics', { config }, (request, reply) => sendMetrics(metrics, context, request, reply))
  registerDescription(app, context, endpoints)
}

/** How long (ms) the database's state is shared by all callers. */
const freshness = 250

/** Asks the database once for all concurrent callers: the endpoint is public and unlimited. */
function createReachability({ db }: Context): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined
  return () => {
    asked ??= within(2_000, db.query(sql`select 1`))
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        const timer = setTimeout(() => {
          asked = undefined
        }, freshness)
        timer.unref()
      })
    return asked
  }
}

/** Limit of requests for the description per caller and minute: it is the largest public response. */
const descriptionLimit = {
  requestPath: '/openapi.json',
  requestTimeWindow: 60_000,
  requestCount: 60,
  errorResponseMessage: 'Too many requests.',
  includeInternalRequests: false,
}

function registerDescription(app: FastifyInstance, context: Context, endpoints: Endpoint[]): void {
  const rules = [descriptionLimit]
  const limiter = createRateLimiter(() => rules, context.limits, 'description')
  // Made once: it takes longer than a hundred requests.
  let made: { text: Buffer; etag: string } | undefined
  app.get('/openapi.json', async (request, reply) => {
    await limiter.count({
      method: 'GET',
      path: '/openapi.json',
      address: request.ip,
      isForwarded: isForwarded(request),
    })
    if (!made) {
      const text = Buffer.from(JSON.stringify(describeApi(context, endpoints)))
      made = { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
    }
    reply.headers({ 'Cache-Control': 'no-cache', ETag: made.etag })
    if (request.headers['if-none-match'] === made.etag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(made.text)
  })
}

async function sendMetrics(metrics: Metrics, context: Context, request: FastifyRequest, reply: FastifyReply) {
  const isAllowed =
    mayReadMetrics(context.config, request.headers.authorization) || (await mayReadByKey(context, request))
  if (!isAllowed) return reply.code(401).send({ error: 'unauthorized' })
  const { type, text } = await metrics.write()
  return reply.type(type).send(text)
}

/** A key of operators with the scope metrics. */
async function mayReadByKey(context: Context, request: FastifyRequest): Promise<boolean> {
  const bearer = findTokenText(request)
  if (bearer === undefined) return false
  const isMasterAddress = createAddressList(context.config.masterKeyIps)
  const rules = { isMasterAddress, neededKeys: [], cookie: false }
  const claims = { keys: [], bearer }
  const caller = await identify(context, request, claims, { session: 'dropped' }, rules).catch(() => undefined)
  return caller?.token?.grant.scope.parts.has('metrics') === true
}

function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('timed out')), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
