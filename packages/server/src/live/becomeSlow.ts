import { CountersignError } from '@countersign/protocol'
import { catchUp } from './catchUp.ts'
import { endSubscription } from './endSubscription.ts'
import type { Position } from './feed/Feed.ts'
import type { LiveClient, Slow } from './LiveClient.ts'
import type { LiveParts } from './LiveParts.ts'
import type { Subscription } from './Subscription.ts'
import { sendError } from './sockets/sendFrame.ts'

/**
 * Stops telling a client that reads too slowly, so that what waits for it stays bounded. Once it has read what is on its
 * way, it is told the rest from the log; one that knows no positions has to come back, and ask anew.
 */
export function becomeSlow(parts: LiveParts, client: LiveClient, slow: Slow): void {
  client.slow = slow
  parts.stats.slow++
  client.outlet.flush()
  parts.context.background.run('slow client', async () => {
    await client.outlet.drained()
    if (client.socket.readyState !== client.socket.OPEN) return
    if (client.positions) {
      client.slow = undefined
      for (const subscription of client.subscriptions.values()) {
        if (!subscription.backlog) catchUp(parts, subscription, missedFrom(slow, subscription))
      }
      return
    }
    for (const subscription of [...client.subscriptions.values()]) endSubscription(parts, subscription)
    sendError(client, new CountersignError('Timeout', 'Events were lost, since they were read too slowly.'), null, true)
    client.socket.close(1013, 'too slow')
  })
}

/** Each goes on where it was: one that joined later was told nothing yet, another may have been told of the same change. */
function missedFrom({ from, after, batch, index }: Slow, subscription: Subscription): Position {
  const { joined, since, lastBatch, lastIndex } = subscription
  if (joined >= batch || (index === 0 && joined === batch - 1)) return since
  return lastBatch === batch && lastIndex === index ? after : from
}
