import type { LiveEventName } from '@countersign/protocol'
import type { LiveStats } from './LiveStats.ts'
import { bodyOf, positionedBody } from './matching/bodyOf.ts'
import type { Told } from './matching/judge.ts'
import type { Subscription } from './Subscription.ts'
import { encodeFrame } from './sockets/encodeFrame.ts'

/**
 * Puts an event into what goes out to a subscriber; `flush` of its outlet sends it. `false` where the subscriber reads
 * too slowly to be told now.
 */
export function deliver(stats: LiveStats, subscription: Subscription, told: Told): boolean {
  const { client, group } = subscription
  const body = bodyOf(group, told)
  const rest = client.positions ? positionedBody(body, told) : body.plain
  if (!client.outlet.push(encodeFrame(headOf(subscription, told.event), rest))) return false
  stats.deliveries++
  return true
}

/** All that differs between two who are told the same. */
export function headOf({ heads, client, requestId }: Subscription, event: LiveEventName): Buffer {
  const known = heads.get(event)
  if (known) return known
  const made = Buffer.from(`{"op":"${event}",${client.who},"requestId":${requestId}`)
  heads.set(event, made)
  return made
}
