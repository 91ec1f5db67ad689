import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WebSocketServer } from 'ws'
import type { Context } from '../context/Context.ts'
import type { Live } from '../live/Live.ts'
import { createAddressList, networkOf } from '../network/clientAddress.ts'
import { isTokenText } from '../users/tokens/newTokenText.ts'
import { isOwnOrigin, readSessionCookie } from './request/cookies.ts'
import { identify } from './request/identify.ts'
import { createMountReader } from './request/requestTarget.ts'

type Upgrade = { duplex: Duplex; head: Buffer }
type UpgradeRequest = IncomingMessage & { upgradeSocket?: Upgrade }

const isLocal = createAddressList(['127.0.0.0/8', '::1'])

/**
 * Sockets of live queries, on the port of everything else: under the mount, at whatever path; and at the root, which is
 * the address that clients of parse-server are configured with (`liveQueryServerURL: 'wss://host'`).
 */
export function registerSockets(app: FastifyInstance, context: Context, live: Live): void {
  const { config } = context
  const { maxFrameSize, maxSocketsPerAddress } = config.liveQuery
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxFrameSize,
    perMessageDeflate: false,
  })
  const isMasterAddress = createAddressList(config.masterKeyIps)
  const neededKeys = [config.javascriptKey, config.restAPIKey, config.clientKey].filter((key) => key !== undefined)
  const networks = new Map<string, number>()

  // Through the router: it knows the caller behind a proxy.
  app.server.on('upgrade', (request: UpgradeRequest, duplex: Duplex, head: Buffer) => {
    duplex.on('error', () => duplex.destroy())
    if (!isWebSocket(request)) return void serveAsUsual(app.server, request, { duplex, head })
    request.upgradeSocket = { duplex, head }
    const response = new ServerResponse(request)
    // Responses of the router itself: no timeout covers the connection any more.
    response.shouldKeepAlive = false
    response.once('finish', () => end(duplex))
    response.assignSocket(duplex as never)
    app.routing(request, response)
  })
  app.addHook('onRequest', (request, reply, done) => {
    const upgrade = (request.raw as UpgradeRequest).upgradeSocket
    if (!upgrade) return done()
    reply.hijack()
    reply.raw.detachSocket(upgrade.duplex as never)
    open(request, upgrade)
  })

  const toMount = createMountReader(config)

  function open(request: FastifyRequest, { duplex, head }: Upgrade): void {
    const path = toMount(request.url).split('?', 1)[0] ?? ''
    const isOurs = path === '/' || path === config.mount || path.startsWith(`${config.mount}/`)
    if (!isOurs) return void refuse(duplex, '404 Not Found')
    const address = request.ip
    const network = networkOf(address)
    const count = networks.get(network) ?? 0
    if (count >= maxSocketsPerAddress && !isLocal(address)) return void refuse(duplex, '429 Too Many Requests')
    sockets.handleUpgrade(request.raw, duplex, head, (socket) => {
      networks.set(network, count + 1)
      socket.on('close', () => {
        const left = (networks.get(network) ?? 1) - 1
        if (left === 0) networks.delete(network)
        else networks.set(network, left)
      })
      live.accept({
        socket,
        duplex,
        ipAddress: address,
        cookieToken: findCookieToken(context, request),
        identify: ({ applicationId, masterKey, javascriptKey, clientKey, restAPIKey, installationId }) => {
          const keys = [javascriptKey, clientKey, restAPIKey].filter((key) => key !== undefined)
          const claims = {
            applicationId,
            keys,
            ...(masterKey && { masterKey }),
            ...(installationId && { installationId }),
          }
          return identify(
            context,
            request,
            claims,
            { session: 'dropped' },
            { isMasterAddress, neededKeys, cookie: false },
          )
        },
      })
    })
  }
}

/**
 * Reads the session cookie of a socket. Browsers send cookies with sockets of any page, so they count only for our own
 * origin: another site would use the visitor's session (cross-site WebSocket hijacking).
 */
function findCookieToken(context: Context, request: FastifyRequest): string | undefined {
  const { origin } = request.headers
  if (origin === undefined || !isOwnOrigin(context, request, origin)) return undefined
  const token = readSessionCookie(context, request)
  // A token with a scope in a cookie was planted: the page would act as somebody else.
  return token !== undefined && isTokenText(token) ? undefined : token
}

function refuse(duplex: Duplex, status: string): void {
  end(duplex, `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Closes both directions: a refused client that does not hang up would keep the connection forever. */
function end(duplex: Duplex, last = ''): void {
  duplex.end(last, () => duplex.destroy())
}

const isWebSocket = ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket'
const ofUpgrade = new Set(['upgrade', 'connection', 'http2-settings'])

/**
 * Clients may offer another protocol, such as HTTP/2, and continue without it if the offer is ignored. Here the
 * connection was already taken from the parser; it is returned with the request, without the offer.
 */
function serveAsUsual(server: Server, request: IncomingMessage, { duplex, head }: Upgrade): void {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!ofUpgrade.has(rawHeaders[at]?.toLowerCase() ?? '')) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  }
  duplex.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', duplex)
}
