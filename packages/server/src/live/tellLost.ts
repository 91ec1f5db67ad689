import { CountersignError } from '@countersign/protocol'
import { endSubscription } from './endSubscription.ts'
import type { Position } from './feed/Feed.ts'
import type { LiveParts } from './LiveParts.ts'
import type { Subscription } from './Subscription.ts'
import { sendError, sendFrame } from './sockets/sendFrame.ts'

/** Changes are lost to these: who understands it is told to ask anew, the others to come back. */
export function tellLost(parts: LiveParts, subscriptions: readonly Subscription[], position: Position): void {
  for (const subscription of subscriptions) {
    const { client, requestId, ended } = subscription
    if (ended) continue
    if (client.positions) sendFrame(client, { op: 'resync', requestId, position })
    else sendAway(parts, subscription)
  }
}

function sendAway(parts: LiveParts, { client }: Subscription): void {
  for (const each of [...client.subscriptions.values()]) endSubscription(parts, each)
  sendError(client, new CountersignError('Timeout', 'Events were lost. Connect again.'), null, true)
  client.socket.close(1013, 'events were lost')
}
