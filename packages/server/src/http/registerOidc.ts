import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/Context.ts'
import { isForwarded } from '../network/clientAddress.ts'
import { getProvider } from '../oidc/getProvider.ts'
import { issuerOf } from '../oidc/issuer.ts'
import { pageStyle } from '../oidc/pages.ts'
import { answerError } from './request/answerError.ts'
import type { RateLimiter } from './request/createRateLimiter.ts'

const mount = '/oidc'

/** Maximum characters of an address with its query. */
const mostCharacters = 16_000

const safety = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
}

/** Serves the OpenID provider. Discovery is under the issuer, as every client expects it. */
export function registerOidc(app: FastifyInstance, context: Context, limiter: RateLimiter): void {
  const { config, log } = context
  if (!config.oidc.enabled) return

  app.get(`${mount}/style.css`, (_request, reply) =>
    reply
      .headers({ 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' })
      .type('text/css; charset=utf-8')
      .send(pageStyle),
  )

  app.route({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    url: `${mount}/*`,
    async handler(request, reply) {
      try {
        if (request.url.length > mostCharacters) return reply.code(414).send()
        const path = request.url.split('?', 1)[0] ?? ''
        await limiter.count({ method: request.method, path, address: request.ip, isForwarded: isForwarded(request) })
        const provider = await getProvider(context, path === `${mount}/jwks`)
        return answer(request, reply, provider.callback())
      } catch (error) {
        return answerError(reply, error, log)
      }
    },
  })

  function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  ): FastifyReply {
    const { raw } = request
    const own = new URL(issuerOf(context))
    // Addresses in responses come from the configuration, never from headers of the request.
    for (const name of Object.keys(raw.headers)) if (name.startsWith('x-forwarded-')) delete raw.headers[name]
    raw.headers.host = own.host
    raw.headers['x-forwarded-proto'] = own.protocol.slice(0, -1)
    const url = askForConsent(raw.url ?? '/')
    Object.assign(raw, { originalUrl: url, url: url.slice(mount.length) })
    reply.hijack()
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...safety, 'cache-control': 'no-store' }))
      if (value !== undefined) reply.raw.setHeader(name, value as string)
    handle(raw, reply.raw)
    return reply
  }
}

/**
 * Access beyond the visit needs `prompt=consent` by the standard, which most clients do not send. It is added, so that
 * the person always sees the screen of the first consent.
 */
function askForConsent(url: string): string {
  const [path = '', query = ''] = url.split('?', 2)
  if (path !== `${mount}/authorize`) return url
  const params = new URLSearchParams(query)
  // Never from outside.
  params.delete('countersign_offline')
  const [prompt, ...more] = params.getAll('prompt')
  const wantsOffline = params.getAll('scope').length === 1 && params.get('scope')?.split(' ').includes('offline_access')
  if (!wantsOffline || more.length > 0 || prompt?.split(' ').some((name) => name === 'none' || name === 'consent'))
    return params.size === new URLSearchParams(query).size ? url : `${path}?${params}`
  params.set('prompt', prompt ? `${prompt} consent` : 'consent')
  params.set('countersign_offline', '1')
  return `${path}?${params}`
}
