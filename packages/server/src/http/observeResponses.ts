import type { Context } from '../context/Context.ts'
import { logOf } from '../log/createLogger.ts'
import type { Metrics } from '../metrics/createMetrics.ts'
import type { ApiRequest } from './request/ApiRequest.ts'

/** Called once for each response, with its status and the milliseconds that it took. */
export type ObserveResponse = (
  request: Pick<ApiRequest, 'id' | 'method' | 'url' | 'countedAs' | 'userId' | 'isConsoleRead'>,
  status: number,
  ms: number,
) => void

/** Counts and logs responses. */
export function observeResponses(context: Context, metrics: Metrics | undefined): ObserveResponse {
  const { config, log } = context
  const { figures } = context.services
  const quiet = new Set(['/health', '/ready', '/metrics', `${config.mount}/health`])
  const requestLog = logOf(log, config, 'requests')
  const isLogged = requestLog.isLevelEnabled('info')
  return (request, status, ms) => {
    const { countedAs } = request
    if (countedAs !== undefined) figures?.observe(countedAs, status, ms)
    // Unknown paths are counted under a few fixed names: callers choose paths, and could fill the memory.
    metrics?.observeRequest(countedAs ?? (request.url.startsWith(config.mount) ? 'unknown' : 'web'), status, ms)
    if (!isLogged) return
    // The path alone: older clients put passwords into the query string.
    const path = request.url.split('?', 1)[0] as string
    // Asked every few seconds by whatever watches over the server.
    if ((status < 400 || context.isStopping) && quiet.has(path)) return
    requestLog.info(
      {
        requestId: request.id,
        method: request.method,
        path,
        status,
        ms: Math.round(ms * 10) / 10,
        ...(request.userId !== undefined && { user: request.userId }),
        ...(request.isConsoleRead && { console: true }),
      },
      'request',
    )
  }
}
