import { connect as connectTls } from 'node:tls'
import { WebSocket } from 'ws'
import type { Config } from '../config/Config.ts'
import { findKeys } from '../keys/loadKeys.ts'
import { ask, patience } from './ask.ts'
import { checkProxy, type OperatorKeys } from './checkProxy.ts'
import { type Report, reasonOf } from './Finding.ts'
import type { Machine } from './Machine.ts'
import { openExisting } from './openExisting.ts'

const day = 86_400_000
/** How long (ms) a message may take on an open socket. */
const socketPatience = 5_000

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
  await checkSocket(url, config, keys.appId, report)
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

async function findKeysOf(config: Config): Promise<OperatorKeys | undefined> {
  const { databaseUrl, appId, masterKey } = config
  if (appId !== undefined && masterKey !== undefined) return { appId, masterKey }
  if (!databaseUrl) return findKeys(config).catch(() => undefined)
  const db = await openExisting(config)
  try {
    return db && (await findKeys(config, db))
  } finally {
    await db?.close()
  }
}

async function checkCors(url: string, config: Config, report: Report): Promise<void> {
  const [named] = config.allowOrigin
  const origin = named ?? 'https://elsewhere.example'
  const preflight = { Origin: origin, 'Access-Control-Request-Method': 'POST' }
  const { headers } = await ask(`${url}${config.mount}/serverInfo`, preflight, { method: 'OPTIONS' })
  const allowed = headers['access-control-allow-origin']
  const hasCookies = headers['access-control-allow-credentials'] === 'true'
  const isRight = named ? allowed === named && hasCookies : allowed === '*'
  if (isRight) return report.ok('cors', `Pages of ${named ?? 'other origins'} may call the server.`)
  report.fault(
    'cors',
    `For a page of ${origin}, the response allows ${allowed ?? 'nothing'}${named && !hasCookies ? ', without cookies' : ''}.`,
    'Browsers block responses to pages of other origins.',
    'Remove Access-Control-… headers from the proxy. Only the server should send them.',
  )
}

/** Opens a socket and exchanges one message: a proxy may let the handshake through and hold back the rest. */
async function checkSocket(url: string, config: Config, appId: string, report: Report): Promise<void> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${config.mount}`, {
    handshakeTimeout: patience,
    followRedirects: false,
  })
  const failure = await new Promise<string | undefined>((resolve) => {
    socket.once('error', (error) => resolve(`A WebSocket does not open: ${reasonOf(error)}`))
    socket.once('open', () => {
      socket.send(JSON.stringify({ op: 'connect', applicationId: appId }))
      const held = setTimeout(() => resolve('A WebSocket opens, but its messages are held back.'), socketPatience)
      socket.once('message', () => {
        clearTimeout(held)
        resolve(undefined)
      })
    })
  })
  socket.terminate()
  if (failure === undefined) return report.ok('sockets', 'A WebSocket opens and delivers messages.')
  report.fault(
    'sockets',
    failure,
    'Live queries do not work: pages show changes only after a reload.',
    'Make the proxy forward Upgrade and Connection, and do not buffer (nginx: see deploy/nginx/countersign.conf).',
  )
}
