import { headers } from '@countersign/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'

const allowed = [
  ...Object.values(headers).filter((name) => name !== headers.sessionTransport),
  'X-Requested-With',
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

const anyone = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET,PUT,POST,DELETE,OPTIONS',
  'Access-Control-Allow-Headers': allowed,
  'Access-Control-Expose-Headers':
    'X-Parse-Job-Status-Id, X-Parse-Push-Status-Id, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
}

const trusted = {
  ...anyone,
  'Access-Control-Allow-Headers': `${allowed}, ${headers.sessionTransport}`,
  'Access-Control-Allow-Credentials': 'true',
}

/**
 * Every page may call with keys and tokens of its own; that is what the older clients do. Cookies are
 * another matter: only origins that the operator named may send them from elsewhere.
 */
export function applyCors(origins: string[], request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers
  if (origin !== undefined && origins.includes(origin)) {
    reply.headers({ ...trusted, 'Access-Control-Allow-Origin': origin, Vary: 'Origin' })
  } else reply.headers(anyone)
}
