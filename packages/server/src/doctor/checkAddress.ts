import { connect as connectTls } from 'node:tls'
import { type ConnectionRecord, headers } from '@countersign/protocol'
import { WebSocket } from 'ws'
import type { Config } from '../config/Config.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { findKeys, type Keys } from '../keys/loadKeys.ts'
import { type Report, reasonOf } from './Finding.ts'
import type { Machine } from './Machine.ts'

const patience = 10_000
const mostBytes = 256 * 1024
const day = 86_400_000
/** Of the range for documentation: nobody calls from there. */
const nobody = '203.0.113.77'

/** Goes the way that a browser goes: the public address, its certificate, the proxy, the cookie, CORS and sockets. */
export async function checkAddress(config: Config, machine: Machine, report: Report): Promise<void> {
  const isSet = config.publicUrl !== undefined
  const url = (config.publicUrl ?? `http://localhost:${config.port}`).replace(/\/+$/, '')
  if (!isSet && config.production) {
    report.fault(
      'publicUrl',
      'publicUrl is not set in production.',
      'Links in emails lead to localhost, wallets see the wrong domain, and cookies are not marked for https.',
      'Set COUNTERSIGN_PUBLIC_URL to the https address that people open.',
    )
  }
  const { protocol, origin } = new URL(url)
  if (isSet && config.production && protocol !== 'https:') {
    report.fault(
      'https',
      `publicUrl is ${origin}, without TLS.`,
      'Passwords and sessions can be read on the network, and passkeys and wallets do not work.',
      'Put a proxy with TLS in front and set COUNTERSIGN_PUBLIC_URL to https://…',
    )
  }
  const page = await readPage(url, isSet, report)
  if (!page) return
  if (protocol === 'https:') await checkCertificate(url, machine, report)
  const keys = await findKeysOf(config)
  if (!keys) return report.skipped('server', 'Not checked further: the keys of the server are not available here.')
  if (page.appId !== keys.appId) {
    return report.fault(
      'server',
      `The server at ${origin} has another application id than this configuration.`,
      'The public address leads to another server.',
      'Correct COUNTERSIGN_PUBLIC_URL, the proxy, or COUNTERSIGN_APP_ID.',
    )
  }
  report.ok('server', `${origin} leads to this application.`)
  await checkProxy(url, config, keys, machine, report)
  await checkCors(url, config, report)
  await checkSocket(url, config, report)
}

async function readPage(url: string, isSet: boolean, report: Report): Promise<{ appId?: string } | undefined> {
  try {
    const { status, body, location } = await ask(`${url}/config.json`)
    if (location !== undefined) {
      report.fault(
        'reach',
        `${url} redirects to ${location.slice(0, 200)}.`,
        'Clients do not follow redirects with a session, so sign-in fails.',
        'Set COUNTERSIGN_PUBLIC_URL to the target of the redirect.',
      )
      return undefined
    }
    if (status === 200 && body) {
      report.ok('reach', `${url} answers.`)
      return body as { appId?: string }
    }
    report.fault(
      'reach',
      `${url} responds with ${status}, but not as a Countersign server.`,
      'The server can’t be reached at its public address.',
      'Check that the proxy forwards all requests to the server, and check COUNTERSIGN_PUBLIC_URL.',
    )
  } catch (error) {
    const reason = reasonOf(error)
    if (!isSet) report.skipped('reach', `No server responds at ${url} (${reason}); publicUrl is not set.`)
    else if (isOfCertificate(error)) {
      report.fault(
        'certificate',
        `The certificate of ${new URL(url).host} is refused: ${reason}`,
        'Browsers and clients refuse to talk to the server.',
        'Install a certificate from a known authority for this name, with its full chain. Caddy does this automatically.',
      )
    } else {
      report.fault(
        'reach',
        `${url} cannot be reached: ${reason}`,
        'The server can’t be reached at its public address, at least from this machine.',
        'Start the server and the proxy; check DNS, firewall and COUNTERSIGN_PUBLIC_URL.',
      )
    }
  }
}

function isOfCertificate(error: unknown): boolean {
  const { code = '', cause } = (error ?? {}) as { code?: string; cause?: unknown }
  return /CERT|UNABLE_TO_VERIFY|SELF_SIGNED|ALTNAME|SSL|TLS/i.test(code) || (cause ? isOfCertificate(cause) : false)
}

/** It is valid, or we would not be here; how long it stays so. */
function checkCertificate(url: string, machine: Machine, report: Report): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connectTls({ host: hostname, port: Number(port) || 443, servername: hostname, timeout: patience })
    socket.once('secureConnect', () => {
      const ends = Date.parse(socket.getPeerCertificate().valid_to)
      const days = Math.floor((ends - machine.now()) / day)
      const said = `The certificate is valid for ${days} more days.`
      if (days < 14) {
        report.warning(
          'certificate',
          said,
          'When it expires, clients can’t connect.',
          'Renew it, and check why automatic renewal failed.',
        )
      } else report.ok('certificate', `${said} ${socket.getProtocol() ?? ''}`)
      socket.end()
      resolve()
    })
    const giveUp = () => {
      socket.destroy()
      resolve()
    }
    socket.once('error', giveUp)
    socket.once('timeout', giveUp)
  })
}

type OperatorKeys = Pick<Keys, 'appId' | 'masterKey'>

async function findKeysOf(config: Config): Promise<OperatorKeys | undefined> {
  const { databaseUrl, appId, masterKey } = config
  if (appId !== undefined && masterKey !== undefined) return { appId, masterKey }
  if (!databaseUrl) return findKeys(config).catch(() => undefined)
  const db = await openDatabase({ ...placeOf(config), patience: 0 }).catch(() => undefined)
  try {
    return db && (await findKeys(config, db))
  } finally {
    await db?.close()
  }
}

async function checkProxy(
  url: string,
  config: Config,
  keys: OperatorKeys,
  machine: Machine,
  report: Report,
): Promise<void> {
  const { protocol, hostname, host, origin } = new URL(url)
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !isLocal) {
    return report.skipped('proxy', 'Not checked: this needs the master key, which is not sent without TLS.')
  }
  const sent = {
    [headers.applicationId]: keys.appId,
    [headers.masterKey]: keys.masterKey,
    [headers.sessionTransport]: 'cookie',
    Origin: origin,
  }
  const first = await ask(`${url}${config.mount}/connection`, { ...sent, 'X-Forwarded-For': nobody })
  if (first.status === 403) {
    return report.skipped('proxy', `Not checked: the server responds with "${String(first.body?.error).slice(0, 200)}"`)
  }
  const seen = first.body as ConnectionRecord | undefined
  if (first.status !== 200 || !seen)
    return report.skipped('proxy', `Not checked: the server responds with ${first.status}.`)
  if (seen.address === nobody) {
    report.fault(
      'proxy',
      'The server trusts any address that a caller sends in X-Forwarded-For.',
      'Anyone can fake an address to bypass rate limits and masterKeyIps.',
      'Set trustProxy to the number of your proxies (0 without one), and let the first proxy replace the header.',
    )
  } else if (!seen.isForwarded && seen.forwardedFor !== undefined && seen.forwardedFor !== nobody) {
    report.fault(
      'proxy',
      'A proxy sends the address of the caller, but the server does not trust it.',
      'All callers have the address of the proxy: they share one rate limit, and activity shows one address.',
      'Set COUNTERSIGN_TRUST_PROXY=1, or the number of your proxies.',
    )
  } else report.ok('proxy', `The server sees this machine as ${seen.address}.`)

  if (seen.host !== host && seen.forwardedHost !== host) {
    report.warning(
      'host',
      `The server receives the host ${seen.host} instead of ${host}.`,
      'Pages on a host other than that of publicUrl get no cookie session.',
      'Make the proxy forward the Host header.',
    )
  }
  if (seen.forwardedProto !== undefined && `${seen.forwardedProto}:` !== protocol) {
    report.warning(
      'scheme',
      `The proxy reports the scheme ${seen.forwardedProto}, but publicUrl is ${protocol.slice(0, -1)}.`,
      'Pages on a host other than that of publicUrl get no cookie session.',
      'Make the proxy send X-Forwarded-Proto with the scheme that the browser used.',
    )
  }
  const drift = Math.abs(Date.parse(seen.time) - machine.now())
  if (drift > 30_000 + patience) {
    report.warning(
      'clock',
      `The clocks of this machine and of the server differ by ${Math.round(drift / 1000)} s.`,
      'Sessions, links and challenges expire too early or too late.',
      'Synchronize both clocks with NTP.',
    )
  }
  await checkCookie(`${url}${config.mount}/connection`, sent, first.cookies, protocol === 'https:', report)
}

async function checkCookie(
  url: string,
  sent: Record<string, string>,
  cookies: string[],
  isSecure: boolean,
  report: Report,
): Promise<void> {
  const name = isSecure ? '__Host-countersign-asks' : 'countersign-asks'
  const cookie = cookies.find((one) => one.startsWith(`${name}=`))
  const meaning = 'Users are signed out immediately after they sign in.'
  if (!cookie) {
    return report.fault(
      'cookie',
      cookies.length > 0 ? 'A cookie arrives under another name.' : 'No cookie arrives from the server.',
      meaning,
      'Make the proxy forward Set-Cookie unchanged, and set publicUrl to the address of the page.',
    )
  }
  if (/;\s*domain=/i.test(cookie) || (isSecure && !/;\s*secure/i.test(cookie)) || !/;\s*path=\/(;|$)/i.test(cookie)) {
    return report.fault(
      'cookie',
      'The proxy changes attributes of the server’s cookie.',
      meaning,
      'Make the proxy forward Set-Cookie unchanged (no proxy_cookie_path, no proxy_cookie_domain).',
    )
  }
  const second = await ask(url, { ...sent, Cookie: cookie.split(';', 1)[0] as string })
  // A browser that has the cookie is given no other.
  if (second.status === 200 && !second.cookies.some((one) => one.startsWith(`${name}=`))) {
    return report.ok('cookie', 'The browser’s cookie reaches the server.')
  }
  report.fault(
    'cookie',
    'The cookie does not reach the server.',
    meaning,
    'Make the proxy forward the Cookie header, and set publicUrl to the address of the page.',
  )
}

async function checkCors(url: string, config: Config, report: Report): Promise<void> {
  const [named] = config.allowOrigin
  const origin = named ?? 'https://elsewhere.example'
  const preflight = { Origin: origin, 'Access-Control-Request-Method': 'POST' }
  const { cors } = await ask(`${url}${config.mount}/serverInfo`, preflight, 'OPTIONS')
  const isRight = named ? cors.origin === named && cors.credentials === 'true' : cors.origin === '*'
  if (isRight) return report.ok('cors', `Pages of ${named ?? 'other origins'} may call the server.`)
  report.fault(
    'cors',
    `For a page of ${origin}, the response allows ${cors.origin ?? 'nothing'}${named && cors.credentials !== 'true' ? ', without cookies' : ''}.`,
    'Browsers block responses to pages of other origins.',
    'Remove Access-Control-… headers from the proxy. Only the server should send them.',
  )
}

async function checkSocket(url: string, config: Config, report: Report): Promise<void> {
  const target = `${url.replace(/^http/, 'ws')}${config.mount}`
  const failure = await new Promise<string | undefined>((resolve) => {
    const socket = new WebSocket(target, { handshakeTimeout: patience, followRedirects: false })
    socket.once('open', () => {
      socket.close()
      resolve(undefined)
    })
    socket.once('error', (error) => resolve(reasonOf(error)))
  })
  if (failure === undefined) return report.ok('sockets', 'A WebSocket opens.')
  report.fault(
    'sockets',
    `A WebSocket does not open: ${failure}`,
    'Live queries do not work: pages show changes only after a reload.',
    'Make the proxy forward Upgrade and Connection (nginx: see deploy/nginx/countersign.conf).',
  )
}

type Answer = {
  status: number
  body: Record<string, unknown> | undefined
  cookies: string[]
  location?: string
  cors: { origin: string | null; credentials: string | null }
}

/** One request. A redirection is not followed: it may lead to where the operator did not mean to send anything. */
async function ask(url: string, sent: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { Accept: 'application/json', ...sent },
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  })
  const location = response.headers.get('location')
  return {
    status: response.status,
    body: parse(await readText(response)),
    cookies: response.headers.getSetCookie(),
    ...(response.status >= 300 && response.status < 400 && location !== null && { location }),
    cors: {
      origin: response.headers.get('access-control-allow-origin'),
      credentials: response.headers.get('access-control-allow-credentials'),
    },
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > mostBytes) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
