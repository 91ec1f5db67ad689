import { CountersignError, errorCodes, type Reason, type ReasonParams } from '@countersign/protocol'
import { readRateLimit } from './readRateLimit.ts'

/** The object that the server answered, or its error with the server's own text and code (R22). */
export function readAnswer(response: Response, text: string): object {
  const body = parse(text)
  if (response.status === 429) throw rateLimited(response, body)
  if (!body) throw notJson(response, text)
  if (response.ok) return body
  throw new CountersignError(readCode(body, response.status), readText(body) ?? `HTTP ${response.status}`, {
    status: response.status,
    ...readReason(body),
    details: readDetails(body, response),
  })
}

/** The stable name of the refusal, and the values that its sentence names. */
export function readReason(body: object): { reason?: Reason; params?: ReasonParams } {
  const { reason, params } = body as { reason?: unknown; params?: unknown }
  // A reason that only a newer server knows is kept, too.
  return typeof reason === 'string' ? { reason: reason as Reason, params: params as ReasonParams } : {}
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function readText(body: object): string | undefined {
  if ('error' in body && typeof body.error === 'string') return body.error
  if ('message' in body && typeof body.message === 'string') return body.message
  return undefined
}

function readDetails(body: object, { status, headers }: Response): string {
  if ('details' in body && typeof body.details === 'string') return body.details
  if (status === 403) return 'The server may not know the app id or the key: check appId and javascriptKey.'
  const id = headers.get('X-Request-Id')
  return `HTTP ${status}${id ? `; the server's log has more under the request id ${id}` : ''}.`
}

function readCode(body: object, status: number): number {
  if ('code' in body && typeof body.code === 'number') return body.code
  return status >= 500 ? errorCodes.InternalServerError : errorCodes.OtherCause
}

function rateLimited(response: Response, body: object | undefined): CountersignError {
  const rateLimit = readRateLimit(response.headers)
  const values = [
    ['limit', rateLimit.limit],
    ['remaining', rateLimit.remaining],
    ['reset', rateLimit.reset],
    ['retry after', rateLimit.retryAfter],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
  const parts = ['Rate limited', (body && readText(body)) ?? 'Too many requests.']
  const suffix = values.length > 0 ? ` (${values.join(', ')})` : ''
  return new CountersignError('RequestLimitExceeded', parts.join(': ') + suffix, {
    status: 429,
    reason: 'rateLimited',
    rateLimit,
    details: 'Wait before the next try; the request was not repeated.',
  })
}

function notJson(response: Response, text: string): CountersignError {
  const what = text.trim() === '' ? 'nothing' : `${JSON.stringify(text.slice(0, 120))}`
  return new CountersignError('InvalidJson', 'The server gave an answer that is not JSON.', {
    reason: 'invalidResponse',
    status: response.status,
    details: `HTTP ${response.status} from ${response.url || 'the server'} with ${what}. Check that serverUrl is the address of the API with its mount (such as /server) and that no proxy answers in its place.`,
  })
}
