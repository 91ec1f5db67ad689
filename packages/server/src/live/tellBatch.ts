import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { HookHandler } from '../context/Registry.ts'
import { findHooks } from '../hooks/findHooks.ts'
import { becomeSlow } from './becomeSlow.ts'
import { catchUp, holdBack, overflow } from './catchUp.ts'
import { deliver } from './deliver.ts'
import { deliverHooked } from './deliverHooked.ts'
import type { Change, Position, WatchedBatch } from './feed/Feed.ts'
import { findSchema } from './findSchema.ts'
import type { LiveClient } from './LiveClient.ts'
import type { LiveParts } from './LiveParts.ts'
import { bodyOf } from './matching/bodyOf.ts'
import { createBudget } from './matching/createBudget.ts'
import type { Room } from './matching/createRoom.ts'
import { createHappening } from './matching/Happening.ts'
import { isReadable, judge, type Told } from './matching/judge.ts'
import type { Group } from './matching/Matching.ts'
import { patiently } from './patiently.ts'
import { refreshGroup, refreshRoom } from './refreshRoom.ts'
import type { Subscription } from './Subscription.ts'
import { tellLost } from './tellLost.ts'

/** Deliveries until others get their turn. */
const mostAtOnce = 5_000
/** Milliseconds that everyone waits for a hook. */
const patience = 100

/** Tells everyone whom it concerns of a batch of changes, in their order. */
export async function tellBatch(parts: LiveParts, batch: WatchedBatch, previous: Position): Promise<void> {
  const { context, rooms, stats } = parts
  const touched = new Set<LiveClient>()
  let begun = stats.deliveries
  if (batch.gap) tellLost(parts, [...rooms.values()].flatMap(subscriptionsOf), batch.end)
  // Nobody is judged by what is older than the change: what was heard so far is looked up first.
  await patiently(parts, () => parts.settleClasses())
  await patiently(parts, () => parts.sessions.settle())
  await patiently(parts, () => parts.identities.settle())
  for (const [index, change] of batch.changes.entries()) {
    if (change.className === '_Role') {
      parts.identities.doubt()
      await patiently(parts, () => parts.identities.settle())
    }
    const room = rooms.get(change.className)
    if (!room) continue
    try {
      await tellChange(room, change, index)
    } catch (error) {
      context.log.error({ err: error, className: change.className }, 'a change could not be told')
      tellLost(parts, subscriptionsOf(room), batch.position(index))
    }
    stats.lag = Date.now() - change.at
    if (stats.deliveries - begun < mostAtOnce) continue
    flush()
    await turn()
    begun = stats.deliveries
  }
  flush()

  async function tellChange(room: Room, change: Change, index: number): Promise<void> {
    const found = findSchema(parts, change)
    const schema = found instanceof Promise ? await patiently(parts, () => findSchema(parts, change)) : found
    if (!schema) return
    refreshRoom(parts, room, schema)
    const happening = createHappening(context, schema, change, () => batch.position(index))
    const handlers = findHooks(context, 'afterLiveQueryEvent', change.className)
    const now = context.clock.now().getTime()
    const asked: Promise<void>[] = []
    let patienceEnds: Promise<undefined> | undefined
    const mayDecide = createBudget()
    for (const question of room.candidates(happening.before, happening.after)) {
      const isPaid = mayDecide(question, happening)
      for (const group of question.groups.values()) {
        if (!refreshGroup(parts, group, schema)) continue
        if (!isPaid) {
          // P6: that there was a change at all is for those alone who may read of it.
          if (isReadable(group, happening)) leaveUntold(group, index, now)
          continue
        }
        const told = judge(group, happening)
        if (!told) continue
        for (const member of group.members) {
          if (!mayHear(parts, member, now)) continue
          if (member.backlog) holdBack(parts, member, told, bodyOf(group, told).plain.length)
          else if (member.client.slow) continue
          else if (handlers) {
            patienceEnds ??= pause(patience, undefined, { ref: false })
            asked.push(ask(handlers, member, told, index, patienceEnds))
          } else note(member, deliver(stats, member, told), index)
        }
      }
    }
    if (asked.length > 0) await Promise.all(asked)
  }

  function leaveUntold({ members }: Group, index: number, now: number): void {
    for (const member of [...members]) {
      if (!mayHear(parts, member, now) || member.client.slow) continue
      if (member.backlog) overflow(member.backlog)
      else tellLost(parts, [member], batch.position(index))
    }
  }

  async function ask(
    handlers: readonly HookHandler[],
    member: Subscription,
    told: Told,
    index: number,
    patienceEnds: Promise<undefined>,
  ): Promise<void> {
    const delivered = deliverHooked(parts, handlers, member, told)
    const isTaken = await Promise.race([delivered, patienceEnds])
    if (isTaken === undefined && member.ended) return
    if (isTaken === undefined && !member.backlog && !member.client.slow) {
      // Who is told by a slow hook comes later, and in order; the others are told now.
      const place = delivered.then((isTold) => (isTold ? batch.position(index) : placeBefore(index)))
      return catchUp(parts, member, place)
    }
    note(member, isTaken ?? (await delivered), index)
  }

  function placeBefore(index: number): Position {
    return index === 0 ? previous : batch.position(index - 1)
  }

  function note(member: Subscription, isTaken: boolean, index: number): void {
    const { client } = member
    if (isTaken) {
      member.lastBatch = parts.flow.batch
      member.lastIndex = index
      touched.add(client)
    } else if (!client.slow) {
      becomeSlow(parts, client, {
        from: placeBefore(index),
        after: batch.position(index),
        batch: parts.flow.batch,
        index,
      })
    }
  }

  function flush(): void {
    for (const client of touched) client.outlet.flush()
    touched.clear()
  }
}

function mayHear({ flow }: LiveParts, { ended, joined, session }: Subscription, now: number): boolean {
  return !ended && joined !== flow.batch && (session === undefined || session.expiresAt > now)
}

function subscriptionsOf({ questions }: Room): Subscription[] {
  return [...questions.values()].flatMap(({ groups }) => [...groups.values()].flatMap(({ members }) => [...members]))
}
