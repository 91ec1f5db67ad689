import {
  type AppEndpointName,
  CountersignError,
  type EndpointPlace,
  type EndpointTypes,
  endpoints,
  errorCodes,
  headers,
  type Method,
  noticeHeader,
  type RateLimit,
  type Reason,
  type ReasonParams,
  type WireFields,
} from '@countersign/protocol'
import type { ClientInternal, Connection, Credential } from '../client/Client.ts'
import { cancelled, sleep, ValidationError } from '../errors/errors.ts'
import { loadOnce } from '../platform/loadOnce.ts'
import { createUuid, hasEvents, isOffline } from '../platform/platform.ts'

const ignore = () => undefined

const loadChainEndpoints = /*#__PURE__*/ loadOnce(() => import('./chainEndpoints.ts'))

type Sending = { credential?: Credential; signal?: AbortSignal; attemptLimit?: number }

/**
 * Sends one request and reads its response. Retries network failures and 5xx with growing random delays; a write keeps
 * its request id over all attempts, so that the server runs it once.
 */
export async function sendRequest<Name extends AppEndpointName>(
  options: ClientInternal['options'],
  connection: Connection,
  name: Name,
  input: EndpointTypes[Name]['input'],
  { credential, signal, attemptLimit = options.attemptLimit ?? 5 }: Sending = {},
): Promise<EndpointTypes[Name]['output']> {
  const place = name in endpoints ? undefined : (await loadChainEndpoints()).findChainEndpoint(name)
  const { url, init } = buildRequest(connection, name, input, credential, place)
  if (options.invitation && opening.test(name))
    Object.assign(init.headers ?? {}, { [headers.invitation]: options.invitation })
  const fetch = options.observedFetch ?? options.fetch ?? globalThis.fetch
  for (let attempt = 1; ; attempt++) {
    if (isOffline() && patient.test(name)) await untilOnline(signal)
    if (signal?.aborted) throw cancelled(signal)
    const outcome = await fetchText(fetch, url, init, options.attemptTimeout ?? 20_000, signal).catch(toFailure)
    if (signal?.aborted) throw cancelled(signal)
    // Without a network nothing is gained by asking again; a write waits for it, and keeps its request id.
    const isLast = isOffline() ? !patient.test(name) : attempt >= attemptLimit
    if ('cause' in outcome) {
      if (isLast) throw unreachable(connection, attempt, outcome.cause)
    } else if (outcome.response.status < 500 || isLast || (readWait(outcome.response).rateLimit?.retryAfter ?? 0) > 5) {
      const notice = connection.transport === 'cookie' && outcome.response.headers.get(noticeHeader)
      if (notice) void import('./warnOfNotice.ts').then(({ warnOfNotice }) => warnOfNotice(notice), ignore)
      return readAnswer(outcome.response, outcome.text) as EndpointTypes[Name]['output']
    }
    await sleep(125 * 2 ** attempt * (0.5 + Math.random() / 2), signal)
  }
}

/** Writes of documents, which wait for the network. */
const patient = /^(create|update|delete)Object$|^batch$/

function untilOnline(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      window.removeEventListener('online', end)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    if (!hasEvents()) return resolve()
    window.addEventListener('online', end)
    signal?.addEventListener('abort', end)
  })
}

function toFailure(cause: unknown): { cause: unknown } {
  return { cause }
}

function unreachable(connection: Connection, attempts: number, cause: unknown): CountersignError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new CountersignError('ConnectionFailed', `The server at ${connection.serverUrl} cannot be reached.`, {
    reason: 'serverUnreachable',
    params: { url: connection.serverUrl },
    details: `Tried ${attempts} times, last: ${reason}. Check serverUrl, and that the server allows this page's origin (CORS).`,
    cause,
  })
}

/** Endpoints without a session that set a cookie or need the one that a challenge is bound to. */
const opening = /^(signUp|logIn|signInWith|create\w*Challenge|requestEmailCode|startTotp|recoverAccount|resetPassword)/

/** The address and the options of `fetch` for one request; the same for all its attempts. */
export function buildRequest(
  connection: Connection,
  name: AppEndpointName,
  input: object,
  credential: Credential | undefined,
  endpoint: EndpointPlace = endpoints[name as keyof typeof endpoints],
): { url: string; init: RequestInit } {
  const fields = new Map<string, unknown>(Object.entries(input))
  const path = endpoint.path.replace(/:(\w+)/g, (_, parameter: string) => {
    const value = fields.get(parameter)
    fields.delete(parameter)
    return encodeSegment(parameter, value)
  })
  let method: Method = endpoint.method
  if (method === 'GET' && (fields.has('password') || fields.has('where'))) {
    // Addresses are kept by logs and histories, and have a limit: passwords and conditions, which may name people or
    // be long, do not travel in them. The server reads `_method` as the verb.
    fields.set('_method', method)
    method = 'POST'
  }
  const isCookie = connection.transport === 'cookie'
  const values: Record<string, string> = {
    Accept: 'application/json',
    [headers.applicationId]: connection.appId,
    [headers.installationId]: connection.installationId,
    ...(connection.javascriptKey && { [headers.javascriptKey]: connection.javascriptKey }),
    ...(isCookie && { [headers.sessionTransport]: 'cookie' }),
    ...(!isCookie && credential?.token && { [headers.sessionToken]: credential.token }),
  }
  // A cookie that this tab knows nothing of, such as one left by an interrupted sign-in, stays at home.
  const credentials = isCookie && (credential || opening.test(name)) ? 'include' : 'omit'
  const init: RequestInit = { method, headers: values, cache: 'no-store', credentials }
  if (method === 'GET')
    return { url: `${connection.serverUrl}${path}${encodeQuery(fields, 'textQuery' in endpoint)}`, init }
  values['Content-Type'] = 'application/json'
  if (endpoint.method !== 'GET') values[headers.requestId] = createUuid()
  init.body = JSON.stringify(Object.fromEntries(fields))
  return { url: `${connection.serverUrl}${path}`, init }
}

// `.` and `..` would be taken out of the address by the browser and so name another endpoint.
function encodeSegment(parameter: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && !/^\.{1,2}$/.test(value)) return encodeURIComponent(value)
  throw new ValidationError(`${parameter} can only be a non-empty string`, `Received ${JSON.stringify(value)}.`)
}

function encodeQuery(fields: Map<string, unknown>, asText: boolean): string {
  const entries = [...fields].filter(([, value]) => value !== undefined)
  if (entries.length === 0) return ''
  const encode = asText ? String : JSON.stringify
  // Not by URLSearchParams, which React Native has in name only.
  return `?${entries.map(([name, value]) => `${name}=${encodeURIComponent(encode(value))}`).join('&')}`
}

/** The server's object, or its error with the server's own text and code. */
export function readAnswer(response: Response, text: string): object {
  const body = parse(text)
  if (response.status === 429) throw rateLimited(response, body)
  if (!body) throw notJson(response, text)
  if (response.ok) return body
  throw new CountersignError(readCode(body, response.status), readText(body) ?? `HTTP ${response.status}`, {
    status: response.status,
    ...readWait(response),
    ...readReason(body),
    details: readDetails(body, response),
  })
}

/** The stable name of the refusal, and the values that its sentence names. */
export function readReason(body: object): { reason?: Reason; params?: ReasonParams; object?: WireFields } {
  // A reason that only a newer server knows is kept, too.
  const { reason, params, object } = body as { reason?: Reason; params?: ReasonParams; object?: WireFields }
  return typeof reason === 'string' ? { reason, params, object } : {}
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
  if (status === 403) return 'Check appId and javascriptKey.'
  const id = headers.get('X-Request-Id')
  return `HTTP ${status}${id ? `, request id ${id}` : ''}.`
}

function readCode(body: object, status: number): number {
  if ('code' in body && typeof body.code === 'number') return body.code
  return status >= 500 ? errorCodes.InternalServerError : errorCodes.OtherCause
}

function rateLimited(response: Response, body: object | undefined): CountersignError {
  const rateLimit = readRateLimit(response.headers)
  const values = Object.entries(rateLimit).map(([name, value]) => `${name.replace('A', ' a')} ${value}`)
  const parts = ['Rate limited', (body && readText(body)) ?? 'Too many requests.']
  const suffix = values.length > 0 ? ` (${values.join(', ')})` : ''
  return new CountersignError('RequestLimitExceeded', parts.join(': ') + suffix, {
    status: 429,
    reason: 'rateLimited',
    rateLimit,
    details: 'Wait before you try again.',
  })
}

function notJson(response: Response, text: string): CountersignError {
  const what = text.trim() === '' ? 'nothing' : `${JSON.stringify(text.slice(0, 120))}`
  return new CountersignError('InvalidJson', 'The server returned a response that is not JSON.', {
    reason: 'invalidResponse',
    status: response.status,
    ...readWait(response),
    details: `HTTP ${response.status} from ${response.url || 'the server'} with ${what}. Check that serverUrl has its mount (such as /server) and that no proxy responds instead of the server.`,
  })
}

/** Retry-After of a failing server. */
function readWait({ status, headers }: Response): { rateLimit?: RateLimit } {
  const retryAfter = status < 500 ? 0 : readRetryAfter(headers.get('Retry-After'))
  return retryAfter ? { rateLimit: { retryAfter } } : {}
}

/** The values of the rate-limit headers, in their standard and in their older spelling. */
function readRateLimit(headers: Headers): RateLimit {
  const read = (name: string) => toNumber(headers.get(`RateLimit-${name}`) ?? headers.get(`X-RateLimit-${name}`))
  const found = {
    limit: read('Limit'),
    remaining: read('Remaining'),
    reset: read('Reset'),
    retryAfter: readRetryAfter(headers.get('Retry-After')),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function toNumber(text: string | null): number | undefined {
  const value = text === null ? Number.NaN : Number.parseFloat(text)
  return Number.isFinite(value) ? value : undefined
}

/** Seconds, also where the header names a moment. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null || /^\s*\d/.test(text)) return toNumber(text)
  const seconds = Math.ceil((Date.parse(text) - Date.now()) / 1000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** One attempt: the response with its whole text, or a failure when the time is up or the caller gives up. */
export async function fetchText(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<{ response: Response; text: string }> {
  const controller = new AbortController()
  const giveUp = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(new Error(`No response within ${timeout} ms.`)), timeout)
  signal?.addEventListener('abort', giveUp, { once: true })
  if (signal?.aborted) giveUp()
  try {
    const response = await fetch(url, { ...init, signal: controller.signal })
    return { response, text: await response.text() }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/** The server's address in full and without a slash at its end. In a page it may be given relative to the page. */
export function readServerUrl(text: string): string {
  const base = globalThis.window?.location?.href
  let url: URL
  try {
    url = new URL(text, base)
  } catch {
    throw invalid(text)
  }
  const address = readAddress(url) ?? /^https?:\/\/[^/?#@\s]+[^?#\s]*/i.exec(text)?.[0]
  if (!address) throw invalid(text)
  return address.replace(/\/+$/, '')
}

/** Origin and path; empty for other protocols. React Native has a URL whose parts cannot be read. */
function readAddress(url: URL): string | undefined {
  try {
    return /^https?:$/.test(url.protocol) ? url.origin + url.pathname : ''
  } catch {
    return undefined
  }
}

function invalid(text: string): ValidationError {
  return new ValidationError(
    `serverUrl is not a URL: ${JSON.stringify(text)}`,
    'Include the mount path, such as http://localhost:1337/server.',
  )
}
