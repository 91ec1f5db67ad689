import type { LogLineRecord } from '@countersign/protocol'

/** Parts of the server that log by their name. */
export const areas = [
  'requests',
  'database',
  'audit',
  'live',
  'functions',
  'jobs',
  'webhooks',
  'chain',
  'backup',
] as const

export type LogLine = {
  at: string
  level: string
  area: string
  message: string
  requestId?: string
  /** Of a request. */
  method?: string
  path?: string
  status?: number
  userId?: string
  /** Function of the application that the request has called. */
  functionName?: string
  /** Read with an operator's rights. */
  isConsoleRead?: boolean
  /** Values that code logged besides the message, as JSON. */
  details?: string
}

/** A line of the log by its columns. Details may be anything that code has logged. */
export function readLogLine({ timestamp, level, text, details }: LogLineRecord): LogLine {
  const { area, requestId, method, path, status, ms, user, console: isConsoleRead, ...rest } = details
  const isRequest = area === 'requests' && typeof path === 'string'
  const more = isRequest ? {} : { method, path, status, ms, user, ...rest }
  const hasMore = Object.values(more).some((value) => value !== undefined)
  const called = isRequest ? /\/functions\/([^/]+)$/.exec(path)?.[1] : undefined
  return {
    at: timestamp,
    level,
    area: typeof area === 'string' ? area : '',
    message: isRequest ? `${method} ${path} ${status} (${ms} ms)` : text,
    ...(typeof requestId === 'string' && { requestId }),
    ...(isRequest && { method: String(method), path, status: Number(status) }),
    ...(typeof user === 'string' && { userId: user }),
    ...(called !== undefined && { functionName: called }),
    ...(isRequest && isConsoleRead === true && { isConsoleRead }),
    ...(hasMore && { details: JSON.stringify(more) }),
  }
}

/**
 * Returns true for a request that the console makes to show itself, or for a file of a page. Looking at the log is a
 * request as well, and would soon be all there is to see. Refused and failed ones are always shown.
 */
export function isBackground({ method, path, status = 0, isConsoleRead }: LogLine, mount: string): boolean {
  if (path === undefined || status >= 400) return false
  if (isConsoleRead || (path !== mount && !path.startsWith(`${mount}/`))) return true
  return method === 'GET' && /^\/(scriptlog|console)(\/|$)/.test(path.slice(mount.length))
}
