import { setTimeout as pause } from 'node:timers/promises'
import { type ConnectionRecord, type EndpointTypes, headers } from '@countersign/protocol'
import type { Config } from '../config/Config.ts'
import type { Keys } from '../keys/loadKeys.ts'
import { type Answer, ask, patience } from './ask.ts'
import { type Report, reasonOf } from './Finding.ts'
import type { Machine } from './Machine.ts'

/** Of the range for documentation: nobody calls from there. */
const nobody = '203.0.113.77'
/** Bytes of the test upload: twice the limit that nginx has by default. */
const uploadSize = 2 * 1024 * 1024
/** Pause (ms) inside the test upload and its response. A proxy that stores a body first removes it. */
const gap = 1_000

export type OperatorKeys = Pick<Keys, 'appId' | 'masterKey'>

type Way = { url: string; sent: Record<string, string>; config: Config; report: Report }

/** Compares requests as they were sent with what the server saw of them. */
export async function checkProxy(
  url: string,
  config: Config,
  keys: OperatorKeys,
  machine: Machine,
  report: Report,
): Promise<void> {
  const { protocol, hostname, origin } = new URL(url)
  if (protocol !== 'https:' && !isLocal(hostname)) {
    return report.skipped('proxy', 'Not checked: this needs the master key, which is not sent without TLS.')
  }
  const sent = {
    [headers.applicationId]: keys.appId,
    [headers.masterKey]: keys.masterKey,
    [headers.sessionTransport]: 'cookie',
    Origin: origin,
  }
  const way: Way = { url: `${url}${config.mount}/connection`, sent, config, report }
  const plain = await ask(way.url, sent)
  if (plain.status === 403) {
    const reason = String(plain.body?.error).slice(0, 200)
    return report.skipped('proxy', `Not checked: the server responds with "${reason}"`)
  }
  const seen = recordOf(plain)
  if (!seen) return report.skipped('proxy', `Not checked: the server responds with ${plain.status}.`)
  const forged = await ask(way.url, { ...sent, 'X-Forwarded-For': nobody })
  // Refused by masterKeyIps, which allows this machine: the server took the forged address for ours.
  const isBelieved = forged.status === 403 || recordOf(forged)?.address === nobody
  await checkAddresses(way, seen, isBelieved)
  checkHost(way, seen)
  checkClock(seen, machine, report)
  await checkCookie(way, plain.cookies, protocol === 'https:')
  await checkBodies(way)
}

const isLocal = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

const recordOf = ({ status, body }: Answer) => (status === 200 ? (body as ConnectionRecord | undefined) : undefined)

/** The server itself speaks no TLS and listens on its port: anything else at the public address is a proxy. */
function hasProxy({ url, config }: Way): boolean {
  const { protocol, port } = new URL(url)
  return protocol === 'https:' || Number(port || 80) !== config.port
}

async function checkAddresses(way: Way, seen: ConnectionRecord, isBelieved: boolean): Promise<void> {
  const { report } = way
  const shared = 'All callers have the address of the proxy: they share one rate limit, and activity shows one address.'
  if (isBelieved) {
    return report.fault(
      'proxy',
      'The server trusts any address that a caller sends in X-Forwarded-For.',
      'Anyone can fake an address to bypass rate limits and masterKeyIps.',
      'Set trustProxy to the number of your proxies (0 without one), and let the first proxy replace the header.',
    )
  }
  if (seen.forwardedFor === undefined) {
    if (!hasProxy(way)) return report.ok('proxy', `The server sees this machine as ${seen.address}.`)
    return report.fault(
      'proxy',
      'The proxy does not send the address of the caller.',
      shared,
      'Make the proxy set X-Forwarded-For to the address of the caller, and set COUNTERSIGN_TRUST_PROXY=1.',
    )
  }
  const fixed = await findFixedAddress(way, seen)
  if (fixed !== undefined) {
    return report.fault(
      'proxy',
      `The proxy sends the address ${fixed} for every caller.`,
      isLocal(fixed)
        ? 'Every caller passes for this machine: no rate limit counts, and masterKeyIps does not hold.'
        : 'All callers share one rate limit, and activity shows one address.',
      'Make the proxy set X-Forwarded-For to the address of the caller (nginx: $remote_addr).',
    )
  }
  if (!seen.isForwarded) {
    return report.fault(
      'proxy',
      'A proxy sends the address of the caller, but the server does not trust it.',
      shared,
      'Set COUNTERSIGN_TRUST_PROXY=1, or the number of your proxies.',
    )
  }
  report.ok('proxy', `The server sees this machine as ${seen.address}.`)
}

/** Calls from two addresses of this machine. A proxy that reports one for both reports it for everybody. */
async function findFixedAddress({ url, sent }: Way, seen: ConnectionRecord): Promise<string | undefined> {
  const sides = isLocal(new URL(url).hostname)
    ? [
        { family: 4, localAddress: '127.0.0.1' },
        { family: 4, localAddress: '127.0.0.2' },
      ]
    : [{ family: 4 }, { family: 6 }]
  const named = await Promise.all(
    sides.map(async (from) => {
      const answer = await ask(url, sent, { from }).catch(() => undefined)
      return answer && recordOf(answer)?.forwardedFor
    }),
  )
  const [one, other] = named
  if (one !== undefined && one === other) return lastOf(one)
  // Loopback cannot have called a proxy of another machine.
  const last = lastOf(seen.forwardedFor ?? '')
  return !isLocal(new URL(url).hostname) && isLocal(last) ? last : undefined
}

const lastOf = (forwardedFor: string) => forwardedFor.split(',').at(-1)?.trim() ?? ''

function checkHost(way: Way, seen: ConnectionRecord): void {
  const { url, report } = way
  const { host, protocol } = new URL(url)
  const meaning = 'Pages on a host other than that of publicUrl get no cookie session.'
  if (seen.host !== host && seen.forwardedHost !== host) {
    report.warning(
      'host',
      `The server receives the host ${seen.host} instead of ${host}.`,
      meaning,
      'Make the proxy forward the Host header.',
    )
  }
  const fix = 'Make the proxy send X-Forwarded-Proto with the scheme that the browser used.'
  if (seen.forwardedProto === undefined) {
    if (hasProxy(way)) report.warning('scheme', 'The proxy does not send X-Forwarded-Proto.', meaning, fix)
  } else if (`${seen.forwardedProto}:` !== protocol) {
    const said = `The proxy reports the scheme ${seen.forwardedProto}, but publicUrl is ${protocol.slice(0, -1)}.`
    report.warning('scheme', said, meaning, fix)
  }
}

function checkClock(seen: ConnectionRecord, machine: Machine, report: Report): void {
  const drift = Math.abs(Date.parse(seen.time) - machine.now())
  if (drift <= 30_000 + patience) return
  report.warning(
    'clock',
    `The clocks of this machine and of the server differ by ${Math.round(drift / 1000)} s.`,
    'Sessions, links and challenges expire too early or too late.',
    'Synchronize both clocks with NTP.',
  )
}

async function checkCookie({ url, sent, report }: Way, cookies: string[], isSecure: boolean): Promise<void> {
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

/** Uploads 2 MB with a pause in the middle; the server stores nothing and responds with a pause as well. */
async function checkBodies({ url, sent, report }: Way): Promise<void> {
  const upload = { 'Content-Type': 'application/octet-stream', 'Content-Length': String(uploadSize) }
  const answer = await ask(url, { ...sent, ...upload }, { method: 'POST', content: writeUpload() }).catch(reasonOf)
  const size = `${uploadSize / 1024 / 1024} MB`
  const seen = typeof answer === 'string' ? undefined : (answer.body as Partial<Probe> | undefined)
  if (typeof answer === 'string' || answer.status !== 200 || seen?.size !== uploadSize) {
    const said = typeof answer === 'string' ? answer : `the response is ${answer.status}`
    return report.fault(
      'body limit',
      `An upload of ${size} does not reach the server: ${said}.`,
      'Users cannot upload files of this size.',
      'Raise the limit of the proxy for bodies; the server has limits of its own (nginx: client_max_body_size 0).',
    )
  }
  report.ok('body limit', `An upload of ${size} reaches the server.`)
  if ((seen.arrival ?? 0) < gap / 2) {
    report.warning(
      'upload buffering',
      'The proxy stores an upload before it passes it on.',
      'Large uploads take twice as long and can fill the disk of the proxy.',
      'Let the proxy stream requests (nginx: proxy_request_buffering off).',
    )
  }
  if (answer.spread < gap / 2) {
    report.warning(
      'buffering',
      'The proxy stores a response before it passes it on.',
      'Exports and large downloads start late, and can fill the memory or the disk of the proxy.',
      'Let the proxy stream responses (nginx: proxy_buffering off).',
    )
  }
}

type Probe = EndpointTypes['probeConnection']['output']

async function* writeUpload(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(uploadSize / 2)
  await pause(gap)
  yield Buffer.alloc(uploadSize / 2)
}
