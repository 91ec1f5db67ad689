import { headers } from '@countersign/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/Context.ts'
import { newToken } from '../context/newToken.ts'

const transportHeader = headers.sessionTransport.toLowerCase()

/**
 * Whether the caller wants its session in a cookie. A form or a link from another site cannot send the
 * header, and a script of another site cannot either without a preflight that we refuse (CSRF).
 */
export function wantsCookie(context: Context, request: FastifyRequest): boolean {
  if (request.headers[transportHeader] !== 'cookie') return false
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin !== undefined) return isOwnOrigin(context, request, origin)
  return site === undefined || site === 'same-origin' || site === 'none'
}

export function isOwnOrigin({ config, publicUrl }: Context, request: FastifyRequest, origin: string): boolean {
  if (config.allowOrigin.includes(origin) || origin === new URL(publicUrl).origin) return true
  // The browser tells the origin of the page and the host it sent the request to; a page cannot forge either.
  return origin === `${request.protocol}://${request.headers.host}`
}

export function readSessionCookie(context: Context, request: FastifyRequest): string | undefined {
  return readCookie(request, cookieName(context))
}

function readCookie(request: FastifyRequest, name: string): string | undefined {
  for (const part of request.headers.cookie?.split('; ') ?? []) {
    if (part.startsWith(`${name}=`)) return decode(part.slice(name.length + 1))
  }
  return undefined
}

/** A cookie that another program of the host planted may hold anything. */
function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

export function setSessionCookie(context: Context, reply: FastifyReply, token: string): void {
  addCookie(context, reply, cookieName(context), encodeURIComponent(token), context.config.sessionLength)
}

export function clearSessionCookie(context: Context, reply: FastifyReply): void {
  addCookie(context, reply, cookieName(context), '', 0)
}

/** What a browser holds before it has a session: a challenge given to it serves no other browser. */
export function readBindingCookie(context: Context, request: FastifyRequest): string | undefined {
  return readCookie(request, bindingName(context))
}

export function setBindingCookie(context: Context, reply: FastifyReply): string {
  const binding = newToken()
  addCookie(context, reply, bindingName(context), binding, 3600)
  return binding
}

export function clearBindingCookie(context: Context, reply: FastifyReply): void {
  addCookie(context, reply, bindingName(context), '', 0)
}

function bindingName(context: Context): string {
  return `${cookieName(context)}-asks`
}

/** The `__Host-` prefix keeps other hosts of the site from planting a session; browsers take it over https alone. */
function cookieName({ publicUrl }: Context): string {
  return publicUrl.startsWith('https:') ? '__Host-countersign' : 'countersign'
}

function addCookie(context: Context, reply: FastifyReply, name: string, value: string, seconds: number): void {
  const secure = context.publicUrl.startsWith('https:') ? '; Secure' : ''
  reply.header('Set-Cookie', `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`)
}
