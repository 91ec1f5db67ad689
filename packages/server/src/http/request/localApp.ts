import type { Context } from '../../context/Context.ts'
import type { ApiRequest } from './ApiRequest.ts'

const loopbackHosts = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** The outbox is open in the web application: development, on this very machine, and no SMTP server. */
export function hasOpenOutbox({ config, mail }: Context): boolean {
  const local = config.host === '127.0.0.1' || config.host === 'localhost' || config.host === '::1'
  return mail.listOutbox !== undefined && !config.production && local
}

/**
 * Returns true for requests of our own page on the developer's machine. The outbox contains reset links, so no other
 * page may read it: not by a cross-site request (the browser names the origin), not by a host name that points here
 * (the host must be a loopback name), not through a proxy.
 */
export function isLocalApp(context: Context, request: ApiRequest): boolean {
  const { origin, host } = request.headers
  if (!hasOpenOutbox(context) || !loopbackHosts.test(host ?? '')) return false
  if (request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined) return false
  if (origin !== undefined && origin !== `http://${host}`) return false
  const site = request.headers['sec-fetch-site']
  return request.headers['x-countersign-session'] === 'cookie' && (site === undefined || site === 'same-origin')
}
