import {
  CountersignError,
  type EndpointTypes,
  endpoints,
  errorCodes,
  headers,
  operatorEndpoints,
} from '@countersign/protocol'
import { configStore } from './config.ts'

const places = { ...endpoints, ...operatorEndpoints }

export type CallName = keyof typeof places
export type Input<Name extends CallName> = EndpointTypes[Name]['input']
export type Output<Name extends CallName> = EndpointTypes[Name]['output']

/** Calls an endpoint that the session layer has no action for, with the session of the browser. */
export async function callEndpoint<Name extends CallName>(
  name: Name,
  input: Input<Name>,
  { signal, headers: extra = {} }: { signal?: AbortSignal | undefined; headers?: Record<string, string> } = {},
): Promise<Output<Name>> {
  const { url, init } = buildCall(name, input, extra)
  const response = await reach(url, { ...init, signal: signal ?? null })
  const body = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined
  if (response.ok && body) return body as Output<Name>
  throw readRefusal(response, body)
}

/** Like `fetch`, with the application's error if the server is unreachable. */
export function reach(url: string, init?: RequestInit): Promise<Response> {
  return fetch(url, init).catch((cause: unknown) => {
    throw new CountersignError('ConnectionFailed', 'The server cannot be reached.', {
      reason: 'serverUnreachable',
      cause,
    })
  })
}

export function readRefusal(response: Response, body: Record<string, unknown> | undefined): CountersignError {
  const code = typeof body?.code === 'number' ? body.code : errorCodes.InternalServerError
  const retryAfter = Number(response.headers.get('Retry-After')) || undefined
  return new CountersignError(code, typeof body?.error === 'string' ? body.error : `HTTP ${response.status}`, {
    status: response.status,
    ...(retryAfter && { rateLimit: { retryAfter } }),
    ...(typeof body?.reason === 'string' && { reason: body.reason as never }),
    ...(typeof body?.params === 'object' && body.params !== null && { params: body.params as never }),
  })
}

/** Server URL, and the keys that every page sends. */
export function getServer() {
  const state = configStore.get()
  if (state.status !== 'ready') throw new Error('The configuration has not arrived yet.')
  return state.config
}

export function applicationHeaders(): Record<string, string> {
  const { appId, javascriptKey } = getServer()
  return {
    Accept: 'application/json',
    [headers.applicationId]: appId,
    ...(javascriptKey && { [headers.javascriptKey]: javascriptKey }),
  }
}

/** The address and the options of `fetch` for one call. */
function buildCall<Name extends CallName>(
  name: Name,
  input: Input<Name>,
  extra: Record<string, string>,
): { url: string; init: RequestInit } {
  const place: { method: string; path: string; textQuery?: true } = places[name]
  const fields = new Map<string, unknown>(Object.entries(input))
  const path = place.path.replace(/:(\w+)/g, (_, parameter: string) => {
    const value = String(fields.get(parameter) ?? '')
    fields.delete(parameter)
    // A browser takes such parts out of the address, which would then be another.
    if (value === '' || /^\.{1,2}$/.test(value)) throw new CountersignError('ObjectNotFound', 'Object not found.')
    return encodeURIComponent(value)
  })
  const given = [...fields].filter(([, value]) => value !== undefined && value !== '')
  // Conditions may be long, so such a read is a POST with the method in its body.
  const isPosted = place.method !== 'GET' || fields.has('where')
  const encode = place.textQuery ? String : (value: unknown) => JSON.stringify(value)
  const query = isPosted ? '' : given.map(([key, value]) => `${key}=${encodeURIComponent(encode(value))}`).join('&')
  const body = { ...Object.fromEntries(given), ...(isPosted && place.method === 'GET' && { _method: 'GET' }) }
  return {
    url: `${getServer().serverUrl}${path}${query && `?${query}`}`,
    init: {
      method: place.method === 'GET' && isPosted ? 'POST' : place.method,
      cache: 'no-store',
      credentials: 'include',
      headers: {
        ...applicationHeaders(),
        [headers.sessionTransport]: 'cookie',
        ...extra,
        ...(isPosted && { 'Content-Type': 'application/json' }),
      },
      ...(isPosted && { body: JSON.stringify(body) }),
    },
  }
}
