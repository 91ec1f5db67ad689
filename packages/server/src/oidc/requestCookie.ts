import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context/Context.ts'
import { cookieName, findCookie } from '../endpoint/cookies.ts'
import type { Sent } from '../endpoint/Endpoint.ts'
import { deriveSecret } from './issuer.ts'

/** Lifetime (s) of a request: as long as the provider keeps it. */
const requestLength = 900

const requestCookie = (context: Context, uid: string) => `${cookieName(context)}-request-${uid.slice(0, 12)}`

const bindingOf = (context: Context, uid: string) =>
  createHmac('sha256', deriveSecret(context, 'requests')).update(uid).digest('base64url')

/**
 * Cookie that binds a request to the browser that the application redirected. Without it, an attacker could send a link
 * to his own request and sign in to the account of the person who consents.
 */
export function writeRequestCookie(context: Context, uid: string): string {
  const secure = context.publicUrl.startsWith('https:') ? '; Secure' : ''
  const value = bindingOf(context, uid)
  return `${requestCookie(context, uid)}=${value}; Path=/; Max-Age=${requestLength}; HttpOnly; SameSite=Lax${secure}`
}

export function isBound(context: Context, uid: string, { headers }: Sent): boolean {
  const given = Buffer.from(findCookie(headers.cookie, requestCookie(context, uid)) ?? '')
  const expected = Buffer.from(bindingOf(context, uid))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
