import { headers, noticeHeader } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import { type Context, listOwnOrigins } from '../../context/Context.ts'
import { cookieName, findCookie, writeCookie } from '../../endpoint/cookies.ts'
import type { Endpoint } from '../../endpoint/Endpoint.ts'
import { newToken } from '../../keys/secrets.ts'
import type { ApiReply, ApiRequest } from './ApiRequest.ts'
import type { Gate } from './Exchange.ts'

const transportHeader = headers.sessionTransport.toLowerCase()

/**
 * Returns true if the caller wants its session in a cookie. A form or link of another site cannot send the header, and
 * its scripts would need a preflight, which is refused (CSRF).
 */
export function wantsCookie(context: Context, request: ApiRequest): boolean {
  if (request.headers[transportHeader] !== 'cookie') return false
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin !== undefined) return isOwnOrigin(context, request, origin)
  return site === undefined || site === 'same-origin' || site === 'none'
}

const mostTrappedOrigins = 100

/** Tells the page, and the log once for each origin, why its cookie session will not last. */
export function reportCookieTrap(
  { context, trappedOrigins }: Gate,
  request: ApiRequest,
  reply: ApiReply,
  isGranted: boolean,
): void {
  const trap = findCookieTrap(context, request, isGranted)
  if (!trap) return
  reply.header(noticeHeader, `${trap} ${context.publicUrl}`)
  const origin = (request.headers.origin ?? '').slice(0, 200)
  // Callers choose the origin: each is named once, and only so many.
  if (trappedOrigins.size >= mostTrappedOrigins || trappedOrigins.has(origin)) return
  trappedOrigins.add(origin)
  context.log.warn(
    { origin, publicUrl: context.publicUrl },
    trap === 'cookie-origin'
      ? 'a page requested a cookie session, but its origin is neither publicUrl nor webUrl, nor in allowOrigin'
      : 'a page over http requested a cookie session, but publicUrl is https: the browser will not store the cookie',
  )
}

/** Reason why a cookie session will not work for the page, if known. */
type CookieTrap = 'cookie-origin' | 'cookie-insecure'

/**
 * A page gets no cookie session if its origin is not ours, and loses it if the cookie is for https only and the page is
 * not: each looks like a sign-in that did not last.
 */
function findCookieTrap(context: Context, request: ApiRequest, isGranted: boolean): CookieTrap | undefined {
  const { origin } = request.headers
  if (origin === undefined || request.headers[transportHeader] !== 'cookie') return undefined
  if (!isGranted) return 'cookie-origin'
  if (!origin.startsWith('http:') || !context.publicUrl.startsWith('https:')) return undefined
  // Browsers treat a page on the machine itself as secure.
  return loopbackOrigin.test(origin) ? undefined : 'cookie-insecure'
}

const loopbackOrigin = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

export function isOwnOrigin(context: Context, request: ApiRequest, origin: string): boolean {
  if (context.config.allowOrigin.includes(origin)) return true
  if (listOwnOrigins(context).some((own) => own.origin === origin)) return true
  // The browser tells the origin of the page and the host it sent the request to; a page cannot forge either.
  return origin === `${request.protocol}://${request.headers.host}`
}

export function readSessionCookie(context: Context, request: ApiRequest): string | undefined {
  return readCookie(request, cookieName(context))
}

export function readCookie(request: ApiRequest, name: string): string | undefined {
  return findCookie(request.headers.cookie, name)
}

function setSessionCookie(context: Context, reply: ApiReply, token: string): void {
  addCookie(context, reply, cookieName(context), encodeURIComponent(token), context.config.sessionLength)
}

export function clearSessionCookie(context: Context, reply: ApiReply): void {
  addCookie(context, reply, cookieName(context), '', 0)
}

const endsSession = new Set(['logOut', 'deleteUser', 'deleteUserInClass'])

/** Moves the token of a response into the cookie: injected script cannot steal what script cannot read. */
export function keepTokenInCookie(
  context: Context,
  reply: ApiReply,
  output: object & { sessionToken?: string },
  endpoint: Endpoint,
  { session, operator }: Caller,
): object {
  // An operator who deletes a user stays signed in.
  if (endsSession.has(endpoint.name) && operator === undefined) clearSessionCookie(context, reply)
  if (output.sessionToken === undefined) return output
  const { sessionToken, ...rest } = output
  if (sessionToken !== session?.token) setSessionCookie(context, reply, sessionToken)
  return rest
}

/** Secret of a browser before it has a session: a challenge given to it is rejected in any other browser. */
export function readBindingCookie(context: Context, request: ApiRequest): string | undefined {
  return readCookie(request, bindingName(context))
}

export function setBindingCookie(context: Context, reply: ApiReply): string {
  const binding = newToken()
  addCookie(context, reply, bindingName(context), binding, 3600)
  return binding
}

export function clearBindingCookie(context: Context, reply: ApiReply): void {
  addCookie(context, reply, bindingName(context), '', 0)
}

function bindingName(context: Context): string {
  return `${cookieName(context)}-asks`
}

function addCookie(context: Context, reply: ApiReply, name: string, value: string, seconds: number): void {
  reply.header('Set-Cookie', writeCookie(context, name, value, seconds))
}
