import type { HookHandler } from '../context/Registry.ts'
import { findHooks } from '../hooks/findHooks.ts'
import { becomeSlow } from './becomeSlow.ts'
import { holdBack } from './catchUp.ts'
import { deliver } from './deliver.ts'
import { deliverHooked } from './deliverHooked.ts'
import { endSubscription } from './endSubscription.ts'
import type { Position, WatchedBatch } from './feed/Feed.ts'
import { findSchema } from './findSchema.ts'
import type { LiveClient } from './LiveClient.ts'
import type { LiveParts } from './LiveParts.ts'
import { bodyOf } from './matching/bodyOf.ts'
import { createHappening } from './matching/Happening.ts'
import { judge, type Told } from './matching/judge.ts'
import type { Group } from './matching/Matching.ts'
import { refreshGroup, refreshRoom } from './refreshRoom.ts'
import type { Subscription } from './Subscription.ts'
import { sendError, sendFrame } from './sockets/sendFrame.ts'

/** Tells everyone whom it concerns of a batch of changes, in their order. */
export async function tellBatch(parts: LiveParts, batch: WatchedBatch, previous: Position): Promise<void> {
  const { context, rooms, stats } = parts
  const touched = new Set<LiveClient>()
  if (batch.gap) tellGap(parts, batch.end)
  // Nobody is judged by what is older than the change: what was heard so far is looked up first.
  await parts.settleClasses()
  await parts.sessions.settle()
  await parts.identities.settle()
  for (const [index, change] of batch.changes.entries()) {
    if (change.className === '_Role') {
      parts.identities.doubt()
      await parts.identities.settle()
    }
    const room = rooms.get(change.className)
    if (!room) continue
    const found = findSchema(parts, change)
    const schema = found instanceof Promise ? await found : found
    if (!schema) continue
    refreshRoom(parts, room, schema)
    const happening = createHappening(context, schema, change, () => batch.position(index))
    const handlers = findHooks(context, 'afterLiveQueryEvent', change.className)
    const now = context.clock.now().getTime()
    const asked: Promise<void>[] = []
    for (const question of room.candidates(happening.before, happening.after)) {
      for (const group of question.groups.values()) {
        if (!refreshGroup(parts, group, schema)) continue
        const told = judge(group, happening)
        if (!told) continue
        for (const member of group.members) {
          if (!mayHear(parts, member, now)) continue
          if (member.backlog) holdBack(parts, member, told, sizeOf(group, told))
          else if (member.client.slow) continue
          else if (handlers) asked.push(ask(handlers, member, told, index))
          else note(member, deliver(stats, member, told), index)
        }
      }
    }
    stats.lag = Date.now() - change.at
    if (asked.length > 0) await Promise.all(asked)
  }
  for (const client of touched) client.outlet.flush()

  async function ask(handlers: readonly HookHandler[], member: Subscription, told: Told, index: number): Promise<void> {
    note(member, await deliverHooked(parts, handlers, member, told), index)
  }

  function note({ client }: Subscription, isTaken: boolean, index: number): void {
    if (isTaken) return void touched.add(client)
    if (client.slow) return
    const from = index === 0 ? previous : batch.position(index - 1)
    becomeSlow(parts, client, { from, batch: parts.flow.batch, isFirst: index === 0 })
  }
}

function mayHear({ flow }: LiveParts, { ended, joined, session }: Subscription, now: number): boolean {
  return !ended && joined !== flow.batch && (session === undefined || session.expiresAt > now)
}

function sizeOf(group: Group, told: Told): number {
  return bodyOf(group, told).plain.length
}

/** Changes are lost to everyone: those who understand it are told to ask anew, the others to come back. */
function tellGap(parts: LiveParts, position: Position): void {
  for (const client of parts.clients) {
    if (client.subscriptions.size === 0) continue
    if (!client.positions) {
      sendError(client, new Error('gap'), null, true)
      client.socket.close(1013, 'reconnect')
      for (const subscription of [...client.subscriptions.values()]) endSubscription(parts, subscription)
    } else for (const requestId of client.subscriptions.keys()) sendFrame(client, { op: 'resync', requestId, position })
  }
}
