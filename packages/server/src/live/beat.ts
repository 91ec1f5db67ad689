import type { LiveParts } from './LiveParts.ts'
import { sendFrame } from './sockets/sendFrame.ts'

/** A sign of life to everyone, and an end to those who gave none since the last. */
export function beat(parts: LiveParts): void {
  const { clients, feed, flow, stats, context } = parts
  // A place is told only where everything before it was told.
  const position = flow.isBusy ? flow.told : feed.current()
  for (const client of clients) {
    if (!client.isAlive) {
      client.socket.terminate()
      continue
    }
    client.isAlive = false
    client.socket.ping()
    if (!client.positions) continue
    // A place is told only where everything before it was told, the sign of life in any case.
    const isUncertain = client.slow || flow.isBusy
    const isBehind = isUncertain || [...client.subscriptions.values()].some(({ backlog }) => backlog !== undefined)
    sendFrame(client, { op: 'position', ...(!isBehind && { position }) })
  }
  if (stats.sockets > 0) context.log.debug({ live: { ...stats } }, 'live queries')
}
