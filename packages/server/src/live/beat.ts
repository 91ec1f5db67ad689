import type { LiveParts } from './LiveParts.ts'
import { sendFrame } from './sockets/sendFrame.ts'

/** A sign of life to everyone, and an end to those who gave none since the last. */
export function beat(parts: LiveParts): void {
  const { clients, feed, flow, stats, context } = parts
  const position = feed.current()
  for (const client of clients) {
    if (!client.isAlive) {
      client.socket.terminate()
      continue
    }
    client.isAlive = false
    client.socket.ping()
    // A place is told only where everything before it was told.
    if (!client.positions || client.subscriptions.size === 0 || client.slow || flow.isBusy) continue
    const isBehind = [...client.subscriptions.values()].some(({ backlog }) => backlog !== undefined)
    if (!isBehind) sendFrame(client, { op: 'position', position })
  }
  if (stats.sockets > 0) context.log.debug({ live: { ...stats } }, 'live queries')
}
