import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  type Context as OtelContext,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { compile } from '../db/sql.ts'
import type { WatchStatement } from '../db/watchStatements.ts'
import { version } from '../version.ts'

type Settings = NonNullable<Config['traces']>

export type Traces = {
  watchRequests(app: FastifyInstance): void
  watchStatement: WatchStatement
  close(): Promise<void>
}

/** A call to a node of a chain, as `chain/nodes/createNode.ts` publishes it. */
type NodeCall = { host: string; methods: string[]; span?: Span }

const longestStatement = 2_000
const mostMethods = 20

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined
  }
}

/**
 * Traces by OpenTelemetry: a span for each request, and within it one for each statement and each call to a node. None
 * holds a value: statements have their places for values, nodes their host, requests the name of their endpoint.
 */
export async function createTraces(settings: Settings): Promise<Traces> {
  const { BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler } = await loadSdk()
  const { resourceFromAttributes } = await import('@opentelemetry/resources').catch(explain)
  const exporter = await createExporter(settings)
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: settings.delay })],
  })
  const tracer = provider.getTracer('countersign', version)
  const active = new AsyncLocalStorage<OtelContext>()

  /** Only within a request: the server's own periodic work is not traced. */
  const startChild = (name: string, attributes: Record<string, string | number | string[]>): Span | undefined => {
    const parent = active.getStore()
    return parent && tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent)
  }
  const end = (span: Span, failed: boolean) => {
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }

  const beginCall = (message: unknown) => {
    const call = message as NodeCall
    const methods = call.methods.slice(0, mostMethods)
    const span = startChild(`node ${methods[0] ?? ''}`.trim(), {
      'server.address': call.host,
      'rpc.system': 'jsonrpc',
      'rpc.method': methods.join(', '),
      'countersign.calls': call.methods.length,
    })
    if (span) call.span = span
  }
  const endCall = (message: unknown) => {
    const { span, error } = message as NodeCall & { error?: unknown }
    if (span) end(span, error !== undefined)
  }
  subscribe('tracing:countersign.node:start', beginCall)
  subscribe('tracing:countersign.node:asyncEnd', endCall)

  return {
    watchRequests(app) {
      app.decorateRequest('span', undefined)
      app.addHook('onRequest', (request, _reply, done) => {
        const span = tracer.startSpan(
          request.method,
          { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method } },
          readParent(request.headers.traceparent),
        )
        request.span = span
        active.run(trace.setSpan(ROOT_CONTEXT, span), done)
      })
      app.addHook('onResponse', (request, reply, done) => {
        const { span } = request
        if (span) {
          if (request.countedAs !== undefined) {
            span.updateName(`${request.method} ${request.countedAs}`)
            span.setAttribute('countersign.endpoint', request.countedAs)
          }
          span.setAttribute('http.response.status_code', reply.statusCode)
          span.setAttribute('countersign.request_id', request.id)
          end(span, reply.statusCode >= 500)
        }
        done()
      })
    },
    watchStatement(statement) {
      if (!active.getStore()) return () => {}
      const { text, name } = 'texts' in statement ? compile(statement) : statement
      const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL'
      const span = startChild(name ?? operation, {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.text': text.slice(0, longestStatement),
      })
      return (failed) => span && end(span, failed)
    },
    async close() {
      unsubscribe('tracing:countersign.node:start', beginCall)
      unsubscribe('tracing:countersign.node:asyncEnd', endCall)
      // A collector that does not respond must not delay the stop.
      await Promise.race([
        provider.shutdown().catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, 3_000).unref()),
      ])
    },
  }
}

/** Joins the caller's trace, if it has one (W3C Trace Context). */
function readParent(header: string | string[] | undefined): OtelContext {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header ?? '')) ?? []
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
  })
}

const loadSdk = () => import('@opentelemetry/sdk-trace-base').catch(explain)

async function createExporter({ url, headers }: Settings): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http').catch(explain)
  return new OTLPTraceExporter({ url, headers }) as SpanExporter
}

function explain(cause: unknown): never {
  throw new ConfigError(
    'The setting traces needs packages that are not installed: npm install @opentelemetry/sdk-trace-base@2 @opentelemetry/resources@2 @opentelemetry/exporter-trace-otlp-http',
    { cause },
  )
}
