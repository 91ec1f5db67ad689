import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findReturn } from '../auth/providers/providerSignIn.ts'
import type { Context } from '../context/Context.ts'
import { isForwarded } from '../network/clientAddress.ts'
import { readLimited, readRequest } from '../network/readLimited.ts'
import { answerError } from './request/answerError.ts'
import type { RateLimiter } from './request/createRateLimiter.ts'

/** Maximum bytes of Apple's response form. */
const mostBytes = 32 * 1024

/** Forwarded parameters with their maximum lengths. */
const parts = { code: 4_000, state: 200, iss: 1_000, error: 200 }

/**
 * Return URL of providers. It passes their parameters to the page that asked, behind the `#` or by a message to that
 * origin alone, and decides nothing: the page sends them to the API, which requires the same browser. So it needs no
 * cookie, which browsers do not send with a form of another site.
 */
export function registerProviderCallback(app: FastifyInstance, context: Context, limiter: RateLimiter): void {
  const { config, log } = context

  app.route({
    method: ['GET', 'POST'],
    url: `${config.mount}/auth/providers/:provider/callback`,
    async handler(request, reply) {
      // The address has the code in it.
      reply.headers({
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
      })
      try {
        await limiter.count({
          method: request.method,
          path: request.url.slice(config.mount.length).split('?', 1)[0] ?? '',
          address: request.ip,
          isForwarded: isForwarded(request),
        })
        const { provider } = request.params as { provider: string }
        return await handOn(reply, provider, await readResponse(request))
      } catch (error) {
        return answerError(reply, error, log)
      }
    },
  })

  async function handOn(reply: FastifyReply, provider: string, response: URLSearchParams): Promise<FastifyReply> {
    const { webUrl } = context
    const found = await findReturn(context, provider, response.get('state') ?? '')
    if (!found) return reply.redirect(`${webUrl}/sign-in#signInWith=&error=expired`, 303)
    const { origin, returnTo, display } = found
    const fragment = new URLSearchParams([['signInWith', provider], ...response])
    const page = `${origin}${returnTo}#${fragment}`
    if (display === 'redirect') return reply.redirect(page, 303)
    const popup = `${page}&display=popup`
    const message = { type: 'countersign:provider', ...Object.fromEntries(fragment) }
    return sendPopup(reply, { message, origin, page: popup, title: config.appName })
  }
}

type Handed = { message: object; origin: string; page: string; title: string }

/**
 * The last page of a popup. The opener closes it when it accepts the message. Without one, which a provider may cut off
 * for its own safety, or if the page knows the server under another origin, the popup goes on to the page itself, which
 * reaches the other window of its origin.
 */
function sendPopup(reply: FastifyReply, { title, ...handed }: Handed): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const data = JSON.stringify(handed).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const name = title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return reply
    .headers({ 'Content-Security-Policy': policy })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><html><head><title>${name}</title></head><body><script nonce="${nonce}">
const { message, origin, page } = ${data}
const goOn = () => location.replace(page)
if (window.opener) { window.opener.postMessage(message, origin); setTimeout(goOn, 500) } else goOn()
</script></body></html>`)
}

/** Keeps known parameters only: once each, within their maximum lengths. */
async function readResponse(request: FastifyRequest): Promise<URLSearchParams> {
  const query = request.url.split('?')[1] ?? ''
  const form = async () => String(await readLimited(readRequest(request.body), mostBytes).catch(() => ''))
  const given = new URLSearchParams(request.method === 'POST' ? await form() : query)
  const kept = new URLSearchParams()
  for (const [name, most] of Object.entries(parts)) {
    const [value, ...more] = given.getAll(name)
    if (value !== undefined && more.length === 0 && value.length <= most) kept.set(name, value)
  }
  return kept
}
