import { findHooks } from '../hooks/findHooks.ts'
import { deliver } from './deliver.ts'
import { deliverHooked } from './deliverHooked.ts'
import { endSubscription } from './endSubscription.ts'
import type { Batch, Position } from './feed/Feed.ts'
import { findSchema } from './findSchema.ts'
import type { LiveParts } from './LiveParts.ts'
import { createBudget } from './matching/createBudget.ts'
import { createHappening } from './matching/Happening.ts'
import { judge, type Told } from './matching/judge.ts'
import { refreshGroup, refreshRoom } from './refreshRoom.ts'
import type { Backlog, Subscription } from './Subscription.ts'
import { sendError, sendFrame } from './sockets/sendFrame.ts'

/** What may happen meanwhile to one who catches up, before it is looked up in the log as well. */
const mostHeld = 1_000

/** Tells a subscriber what came after a position, and then lets it go on with the others. Nothing is lost or told twice. */
export function catchUp(parts: LiveParts, subscription: Subscription, from: Position | Promise<Position>): void {
  // In the turn of the call: the log is read up to here, and whatever comes later is held back.
  const to = hold(parts, subscription)
  parts.context.background.run('live query catches up', async () => {
    try {
      await tellAll(parts, subscription, await from, to)
    } catch (error) {
      if (subscription.ended) return
      endSubscription(parts, subscription)
      // It comes back with its position.
      sendError(subscription.client, error, subscription.requestId, true)
      subscription.client.socket.close(1013, 'reconnect')
      throw error
    }
  })
}

function hold(parts: LiveParts, subscription: Subscription): Position {
  subscription.backlog = { told: [], bytes: 0, overflown: false }
  subscription.joined = parts.flow.batch
  subscription.since = parts.feed.current()
  return subscription.since
}

/** Keeps an event for one who is not that far yet. What is held is bounded; beyond that the log is read once more. */
export function holdBack(parts: LiveParts, { backlog }: Subscription, told: Told, bytes: number): void {
  if (!backlog || backlog.overflown) return
  backlog.told.push(told)
  backlog.bytes += bytes
  if (backlog.told.length <= mostHeld && backlog.bytes <= parts.context.config.liveQuery.maxBufferedBytes) return
  overflow(backlog)
}

/** Lets go of what was held back: it is in the log. */
export function overflow(backlog: Backlog): void {
  backlog.overflown = true
  backlog.told = []
}

async function tellAll(parts: LiveParts, subscription: Subscription, first: Position, last: Position): Promise<void> {
  const { client, group } = subscription
  const { outlet } = client
  // Hooks may be slow: those who wait for one must not keep the others from their turn.
  const isHooked = findHooks(parts.context, 'afterLiveQueryEvent', group.question.className) !== undefined
  const takeTurn = isHooked ? parts.takeHookedTurn : parts.takeTurn
  let [from, to] = [first, last]
  while (!subscription.ended) {
    const stuck = await takeTurn(() => tellLogged(parts, subscription, from, to))
    outlet.flush()
    if (stuck !== undefined) {
      from = stuck
      await outlet.drained()
      continue
    }
    from = to
    const { backlog } = subscription
    if (!backlog) return
    for (let next = backlog.told.shift(); next; next = backlog.told.shift()) {
      await tellAgain(parts, subscription, next)
      from = next.happening.position()
    }
    outlet.flush()
    if (!backlog.overflown) {
      subscription.backlog = undefined
      return
    }
    to = hold(parts, subscription)
  }
}

/**
 * Tells what the log holds between two places. Where the client cannot take more, answers the place it got to: pages of
 * the log are large, and must not wait in memory for those who read slowly.
 */
async function tellLogged(
  parts: LiveParts,
  subscription: Subscription,
  from: Position,
  to: Position,
): Promise<Position | undefined> {
  let reached = from
  for await (const page of parts.feed.read(from, to, subscription.group.question.className)) {
    if (subscription.ended) return undefined
    if (page === 'expired') {
      sendFrame(subscription.client, resync(subscription, to))
      return undefined
    }
    const stuck = await tellPage(parts, subscription, page)
    if (stuck === 'unreadable') {
      sendFrame(subscription.client, resync(subscription, to))
      return undefined
    }
    if (stuck !== undefined) return stuck === 0 ? reached : page.position(stuck - 1)
    reached = page.end
  }
  return undefined
}

function resync({ requestId }: Subscription, position: Position) {
  return { op: 'resync', requestId, position } as const
}

/** Answers the number of the change that the client could not take. */
async function tellPage(
  parts: LiveParts,
  subscription: Subscription,
  page: Batch,
): Promise<number | 'unreadable' | undefined> {
  const { context } = parts
  await parts.settleClasses()
  await parts.sessions.settle()
  for (const [index, change] of page.changes.entries()) {
    const schema = await findSchema(parts, change)
    await parts.identities.settle()
    const room = parts.rooms.get(change.className)
    if (!schema || !room || subscription.ended) return undefined
    refreshRoom(parts, room, schema)
    if (!refreshGroup(parts, subscription.group, schema)) return undefined
    let told: Told | undefined
    try {
      const happening = createHappening(context, schema, change, () => page.position(index))
      if (!createBudget()(subscription.group.question, happening)) return 'unreadable'
      told = judge(subscription.group, happening)
    } catch (error) {
      // A field was dropped since and made anew with another type. One who came back for it would fail again and again.
      context.log.warn({ err: error, className: change.className }, 'an earlier change cannot be read any more')
      return 'unreadable'
    }
    if (told && !(await tryTell(parts, subscription, told))) return index
  }
  subscription.client.outlet.flush()
  return undefined
}

/** What was held back is judged anew: who may read what may have changed since. */
async function tellAgain(parts: LiveParts, subscription: Subscription, { happening }: Told): Promise<void> {
  const { group } = subscription
  await parts.identities.settle()
  const schema = parts.context.classes.find(group.question.className)
  if (!schema || subscription.ended || !refreshGroup(parts, group, schema)) return
  const told = judge(group, happening)
  if (told) await tell(parts, subscription, told)
}

/** Waits for a client that reads slowly: nobody else waits with it. */
async function tell(parts: LiveParts, subscription: Subscription, told: Told): Promise<void> {
  const { outlet } = subscription.client
  while (!(await tryTell(parts, subscription, told))) {
    outlet.flush()
    await outlet.drained()
  }
}

/** `false` where the client cannot take it now. */
async function tryTell(parts: LiveParts, subscription: Subscription, told: Told): Promise<boolean> {
  const { session, ended, group } = subscription
  if (ended || (session && session.expiresAt <= parts.context.clock.now().getTime())) return true
  const handlers = findHooks(parts.context, 'afterLiveQueryEvent', group.question.className)
  return handlers ? deliverHooked(parts, handlers, subscription, told) : deliver(parts.stats, subscription, told)
}
