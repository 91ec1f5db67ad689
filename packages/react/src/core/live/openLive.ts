import { CountersignError, liveGuest, livePositions } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import { readerOf } from '../documents/readerOf.ts'
import { endSession } from '../session/endSession.ts'
import { createLiveSocket, type LiveSocket } from './createLiveSocket.ts'
import { dialWebSocket } from './dialWebSocket.ts'
import { isOnline } from './isOnline.ts'
import type { LiveIdentity } from './LiveWire.ts'
import { liveStates } from './liveStates.ts'
import { watchNetwork } from './watchNetwork.ts'

const sockets = new WeakMap<Client, LiveSocket>()

/** The one live socket of a client, which follows its session. Nothing is opened before the first subscription. */
export function openLive(client: Client): LiveSocket {
  const known = sockets.get(client)
  if (known) return known
  if (typeof WebSocket === 'undefined') {
    throw new CountersignError('OtherCause', 'There is no WebSocket here.', {
      details: 'Node.js has one since version 22; before that, set globalThis.WebSocket to that of the package ws.',
    })
  }
  const made = createLiveSocket({
    state: liveStates(client),
    dial: dialWebSocket,
    identify: () => identify(client),
    isOnline: () => isOnline(toSocketUrl(client.internal.connection?.serverUrl ?? '')),
    endSession({ key }) {
      const credential = client.internal.current?.credential
      if (credential?.id === key) endSession(client, credential)
    },
    random: Math.random,
  })
  sockets.set(client, made)
  client.session.subscribe(made.lookAgain)
  client.initialization.subscribe(made.lookAgain)
  watchNetwork(made)
  return made
}

function identify(client: Client): LiveIdentity | undefined {
  const { connection, current } = client.internal
  const reader = readerOf(client)
  if (!connection || reader === undefined) return undefined
  const { appId, serverUrl, javascriptKey, installationId, transport } = connection
  // Where the session is in a cookie, the browser sends it along with the upgrade.
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
      features: current ? [livePositions] : [livePositions, liveGuest],
    },
  }
}

function toSocketUrl(serverUrl: string): string {
  return serverUrl.replace(/^http/, 'ws')
}
