import { CountersignError, type LiveQueryText, liveAccess, liveGuest, livePositions } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { writeQuery } from '../documents/findDocuments.ts'
import type { AnyQuery } from '../documents/Query.ts'
import { ValidationError } from '../errors/errors.ts'
import { hasEvents } from '../platform/platform.ts'
import { endSession } from '../session/currentSession.ts'
import type { LineHandlers, LiveIdentity, LiveLine, LiveSocket } from '../state/LiveWire.ts'
import { createLiveSocket } from './createLiveSocket.ts'

const ownMachine = /^wss?:\/\/(localhost|127\.[\d.]+|\[::1\])[:/]/

/** The one live socket of a client, which follows its session. Nothing is opened before the first subscription. */
export function openLive(client: Client): LiveSocket {
  const { live, liveState } = client.internal
  if (live) return live
  if (typeof WebSocket === 'undefined') {
    throw new CountersignError('OtherCause', 'WebSocket is not available.', {
      details: 'Use Node.js 22 or newer, or set globalThis.WebSocket to the one of the package ws.',
    })
  }
  const made = createLiveSocket({
    state: liveState,
    dial: dialWebSocket,
    identify: () => identify(client),
    isOnline: () => isOnline(toSocketUrl(client.internal.connection?.serverUrl ?? '')),
    endSession({ key }) {
      const credential = client.internal.current?.credential
      if (credential?.id === key) endSession(client, credential)
    },
    random: Math.random,
  })
  client.internal.live = made
  client.session.subscribe(made.lookAgain)
  client.initialization.subscribe(made.lookAgain)
  watchNetwork(made)
  return made
}

function identify(client: Client): LiveIdentity | undefined {
  const { connection, current } = client.internal
  const reader = client.internal.reader()
  if (!connection || reader === undefined) return undefined
  const { appId, serverUrl, javascriptKey, installationId, transport } = connection
  // The browser sends a session cookie with the upgrade.
  const token = transport === 'storage' ? current?.credential.token : undefined
  return {
    key: current?.credential.id ?? reader,
    reader,
    url: toSocketUrl(serverUrl),
    connect: {
      op: 'connect',
      applicationId: appId,
      ...(javascriptKey !== undefined && { javascriptKey }),
      ...(token !== undefined && { sessionToken: token }),
      installationId,
      features: [livePositions, ...(current ? [] : [liveGuest]), ...(client.internal.offline ? [liveAccess] : [])],
    },
  }
}

function toSocketUrl(serverUrl: string): string {
  return serverUrl.replace(/^http/, 'ws')
}

/** Returns true if an attempt makes sense. The own machine is reachable without a network. */
function isOnline(url: string): boolean {
  if (ownMachine.test(`${url}/`)) return true
  return globalThis.navigator?.onLine !== false
}

/** Reports the network and the visibility of the page, for as long as the page lives. */
function watchNetwork({ wake, sleep, leave }: LiveSocket): void {
  if (!hasEvents()) return
  window.addEventListener('online', wake)
  window.addEventListener('offline', sleep)
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) wake()
  })
  if (!globalThis.document) return
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake()
  })
}

/** Opens a WebSocket of the browser. */
function dialWebSocket(url: string, { onOpen, onMessage, onClose }: LineHandlers): LiveLine {
  const socket = new WebSocket(url)
  let isOver = false
  const end = (reason: string) => {
    if (isOver) return
    isOver = true
    onClose(reason)
  }
  socket.addEventListener('open', () => {
    if (!isOver) onOpen()
  })
  socket.addEventListener('message', ({ data }) => {
    if (!isOver && typeof data === 'string') onMessage(data)
  })
  socket.addEventListener('error', () => end('The WebSocket failed.'))
  socket.addEventListener('close', ({ code, reason }) => end(`It was closed with ${code}${reason && `: ${reason}`}.`))
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    },
    close() {
      isOver = true
      socket.close()
    },
  }
}

/** The part of a query that the server matches events with. `also` names fields that are needed besides. */
export function writeLiveQuery(query: AnyQuery, also: readonly string[] = []): LiveQueryText {
  if (query.redirectClassNameForKey !== undefined) {
    throw new ValidationError(
      'A live query cannot follow redirectClassNameForKey',
      'Query the class that the key points to directly.',
    )
  }
  const { className, where = {} } = writeQuery(query)
  if (!query.keys?.length) return { className, where }
  const heads = query.keys.map((key) => key.split('.')[0] ?? key).filter((key) => !key.startsWith('$'))
  return { className, where, keys: Array.from(new Set([...heads, ...also])) }
}
