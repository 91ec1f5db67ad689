import { createServer } from 'node:http'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import type { Metrics } from '../metrics/createMetrics.ts'
import { sameKey } from './request/keys.ts'

/** Requires the token if one is set, also on a separate port. */
export function mayReadMetrics({ metrics }: Config, authorization: string | undefined): boolean {
  if (metrics?.token === undefined) return metrics?.port !== undefined
  return authorization?.startsWith('Bearer ') === true && sameKey(authorization.slice(7), metrics.token)
}

/** Shows the figures on a port of their own, which the world does not reach unless the operator opens it. */
export async function openMetricsPort(config: Config, metrics: Metrics): Promise<() => Promise<void>> {
  const { port, host } = config.metrics ?? {}
  if (port === undefined) return async () => {}
  const server = createServer(async (request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics'
    if (!isAsked) return void response.writeHead(404).end()
    if (!mayReadMetrics(config, request.headers.authorization)) return void response.writeHead(401).end()
    try {
      const { type, text } = await metrics.write()
      response.writeHead(200, { 'Content-Type': type }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${cause.code})`
      reject(
        new ConfigError(`Port ${port} on ${host}, for metrics, ${reason}. Choose another: metrics.port.`, { cause }),
      )
    })
    server.listen({ port, host }, resolve)
  })
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}
