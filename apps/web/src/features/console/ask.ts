import {
  CountersignError,
  type EndpointTypes,
  endpoints,
  errorCodes,
  headers,
  operatorEndpoints,
} from '@countersign/protocol'
import { useClient, useRead } from '@countersign/react'
import { refetchUser } from '@countersign/react/core'
import { createContext, useContext, useEffect, useId } from 'react'
import { configStore } from '../../config/config.ts'

const places = { ...endpoints, ...operatorEndpoints }

export type AskName = keyof typeof places
export type Input<Name extends AskName> = EndpointTypes[Name]['input']
export type Output<Name extends AskName> = EndpointTypes[Name]['output']

/**
 * Calls an endpoint with the signed-in operator's rights. Only requests of the console carry the header for those
 * rights: elsewhere in the application an operator is an ordinary user.
 */
export async function ask<Name extends AskName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Output<Name>> {
  const { url, init } = buildAsk(name, input)
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

/** The session of the browser, with the rights of the operator. */
export const operatorHeaders = { [headers.sessionTransport]: 'cookie', [headers.console]: '1' }

/** The address and the options of `fetch` for one call. */
function buildAsk<Name extends AskName>(name: Name, input: Input<Name>): { url: string; init: RequestInit } {
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
        ...operatorHeaders,
        ...(isPosted && { 'Content-Type': 'application/json' }),
      },
      ...(isPosted && { body: JSON.stringify(body) }),
    },
  }
}

export type Asked<Data> = (
  | { status: 'pending'; data?: undefined }
  | { status: 'error'; error: CountersignError; data?: Data }
  | { status: 'success'; data: Data }
) & { refetch: () => void }

/**
 * One read, optionally repeated at an interval in ms while the page is seen. The last result stays while the next is
 * pending, and temporary failures are retried.
 */
export function useAsk<Name extends AskName>(
  name: Name,
  input: Input<Name>,
  { every, enabled = true }: { every?: number; enabled?: boolean } = {},
): Asked<Output<Name>> {
  const client = useClient()
  // A reading for each component: one that is shown again after a change, under another key, reads again.
  const id = useId()
  const read = useRead(
    ['console', id, name, input],
    ({ signal }) =>
      ask(name, input, signal).catch((error: CountersignError) => {
        if (error.code === errorCodes.InvalidSessionToken && !signal?.aborted)
          void refetchUser(client, { onError: () => {} })
        throw error
      }),
    { enabled },
  )
  const { refetch } = read
  useEffect(() => {
    if (every === undefined || !enabled) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void refetch(), every)
    return () => clearInterval(timer)
  }, [every, enabled, refetch])
  return read
}

/** Runs a change: asks for a proof if one is needed, and shows errors. `undefined` if it was not done. */
export type Act = <Name extends AskName>(name: Name, input: Input<Name>) => Promise<Output<Name> | undefined>

export const ActContext = createContext<Act>(async () => undefined)

export const useAct = () => useContext(ActContext)

/**
 * Sends a request that may need a proof, asks for it, and sends it again. The caller shows errors; `undefined` if the
 * operator gave no proof.
 */
export type Prove = <Answer>(send: () => Promise<Answer>) => Promise<Answer | undefined>

export const ProveContext = createContext<Prove>((send) => send())

export const useProve = () => useContext(ProveContext)

/** The console as the server describes it to the operator who is signed in. */
export const ConsoleContext = createContext<Output<'getConsole'> | undefined>(undefined)

export function useConsole(): Output<'getConsole'> {
  const found = useContext(ConsoleContext)
  if (!found) throw new Error('useConsole is used outside the console.')
  return found
}
