import { CountersignError, endpoints, errorCodes, headers as names } from '@countersign/protocol'
import type { InitialSession } from '../client/Client.ts'
import { isTransient, toCountersignError } from '../errors/errors.ts'
import { fetchText, readAnswer, readServerUrl } from '../http/sendRequest.ts'
import { readRecord } from '../values/decode.ts'

/** `Headers`, the result of `headers()` in Next.js, or the headers of a Node.js request. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

export type ServerSessionInput = {
  appId: string
  /** API URL for the rendering server, with its mount; may differ from the one for browsers. */
  serverUrl: string
  /** The headers of the request for the page. */
  headers: RequestHeaders
  javascriptKey?: string
  /** Time (ms) that the page waits for the response; 3,000 by default. */
  timeout?: number
  fetch?: typeof globalThis.fetch
  /** Called when the server could not be reached; the page is then rendered without a response. */
  onError?: (error: CountersignError) => void
}

/** As the server names its session cookie over https, and over http. */
const cookies = ['__Host-countersign=', 'countersign=']

/**
 * Session of a request's cookie, for the server that renders the page: the first HTML then shows the signed-in user.
 * The result is plain JSON without the token, for `<CountersignProvider initialSession={…}>`.
 *
 * @example
 * import { headers } from 'next/headers'
 *
 * const session = await getServerSession({ appId, serverUrl: 'http://localhost:1337/server', headers: await headers() })
 * if (session.status === 'authenticated') session.user.username
 */
export async function getServerSession(input: ServerSessionInput): Promise<InitialSession> {
  const cookie = readSessionCookie(input.headers)
  if (cookie === '') return { status: 'unauthenticated' }
  try {
    const user = readRecord(await ask(input, cookie))
    return user ? { status: 'authenticated', user } : { status: 'undefined' }
  } catch (cause) {
    const error = toCountersignError(cause)
    if (error.code === errorCodes.InvalidSessionToken) return { status: 'unauthenticated' }
    // A wrong app id or address is an error for the developer; a server that is down must not break the page.
    if (!isTransient(error)) throw error
    input.onError?.(error)
    return { status: 'undefined' }
  }
}

async function ask(input: ServerSessionInput, cookie: string): Promise<object> {
  const { appId, serverUrl, javascriptKey, timeout = 3_000, fetch = globalThis.fetch } = input
  const visitor = readHeader(input.headers, 'x-forwarded-for')
  const url = readServerUrl(serverUrl) + endpoints.getCurrentUser.path
  const headers = {
    Accept: 'application/json',
    Cookie: cookie,
    [names.applicationId]: appId,
    [names.sessionTransport]: 'cookie',
    ...(javascriptKey && { [names.javascriptKey]: javascriptKey }),
    // Or every visitor would look like the server that renders.
    ...(visitor && { 'X-Forwarded-For': visitor }),
  }
  const answer = await fetchText(fetch, url, { headers, cache: 'no-store' }, timeout, undefined).catch((cause) => {
    const details = `${cause instanceof Error ? cause.message : String(cause)} Check serverUrl, and that the server is running.`
    throw new CountersignError('ConnectionFailed', `The server at ${serverUrl} cannot be reached.`, {
      reason: 'serverUnreachable',
      params: { url: serverUrl },
      details,
      cause,
    })
  })
  return readAnswer(answer.response, answer.text)
}

/** The session cookie alone: no other cookie of the page is the API's business. */
export function readSessionCookie(headers: RequestHeaders): string {
  return readHeader(headers, 'cookie')
    .split('; ')
    .filter((part) => cookies.some((name) => part.startsWith(name)))
    .join('; ')
}

export function readHeader(headers: RequestHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : Object(headers)[name]
  return typeof value === 'string' ? value : ''
}
