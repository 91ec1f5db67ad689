import { headers, noticeHeader, readFromHeader } from '@countersign/protocol'
import type { ApiReply, ApiRequest } from './ApiRequest.ts'

const allowed = [
  ...Object.values(headers).filter((name) => name !== headers.sessionTransport && name !== headers.console),
  'X-Requested-With',
  'X-HTTP-Method-Override',
  'Content-Type',
  'Authorization',
  'Pragma',
  'Cache-Control',
  'X-Moralis-Platform',
  'X-Moralis-Platform-Version',
  'X-Moralis-Build-Target',
  'X-Parse-Upload-Mode',
  'X-Parse-File-Metadata',
  'X-Parse-File-Tags',
].join(', ')

/** Headers that browsers read from a preflight response only. */
const preflight = {
  'Access-Control-Allow-Methods': 'GET,PUT,POST,DELETE,OPTIONS',
  'Access-Control-Allow-Headers': allowed,
}

const anyone = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': `X-Parse-Job-Status-Id, X-Parse-Push-Status-Id, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, ${noticeHeader}, ${readFromHeader}`,
}

/**
 * Every page may call with its own keys and tokens, as older clients do. Cookies are restricted: only origins named by
 * the operator may send them from elsewhere.
 */
export function applyCors(origins: string[], request: ApiRequest, reply: ApiReply): void {
  const { origin } = request.headers
  const isTrusted = origin !== undefined && origins.includes(origin)
  reply.headers(anyone)
  if (request.method === 'OPTIONS') reply.headers(preflight)
  if (!isTrusted) return
  reply.headers({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    Vary: 'Origin',
    ...(request.method === 'OPTIONS' && {
      'Access-Control-Allow-Headers': `${allowed}, ${headers.sessionTransport}, ${headers.console}`,
    }),
  })
}
