import { setImmediate as turn } from 'node:timers/promises'
import { findHooks } from '../hooks/runHooks.ts'
import { deliver, deliverWithHooks, findSchema, refreshClassSubscriptions, refreshGroup } from './deliver.ts'
import { endSubscription } from './endSubscription.ts'
import type { Batch, Position } from './feed/Feed.ts'
import type { Backlog, LiveParts, MatchedEvent, Subscription } from './Live.ts'
import { createBudget, createChangeContext, matchChange } from './matching/matchChange.ts'
import { sendError, sendFrame } from './sockets/frames.ts'

/** Maximum of events held for a client that catches up; later ones are read from the log. */
const mostHeld = 1_000

/** Milliseconds of work until others get their turn. */
const longestTurn = 20

/**
 * Sends changes after a position to a subscriber, and then lets it continue with the others. Nothing is lost or sent
 * twice.
 */
export function catchUp(parts: LiveParts, subscription: Subscription, from: Position | Promise<Position>): void {
  // In the turn of the call: the log is read up to here, and whatever comes later is held back.
  const to = hold(parts, subscription)
  parts.context.background.run('live query catches up', async () => {
    try {
      await sendMissed(parts, subscription, await from, to)
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
  subscription.backlog = { events: [], bytes: 0, overflown: false }
  subscription.joined = parts.flow.batch
  subscription.since = parts.feed.current()
  return subscription.since
}

/**
 * Holds an event for a subscriber that is still behind. The amount is limited; beyond that the log is read once more.
 */
export function holdBack(parts: LiveParts, { backlog }: Subscription, matchedEvent: MatchedEvent, bytes: number): void {
  if (!backlog || backlog.overflown) return
  backlog.events.push(matchedEvent)
  backlog.bytes += bytes
  if (backlog.events.length <= mostHeld && backlog.bytes <= parts.context.config.liveQuery.maxBufferedBytes) return
  overflow(backlog)
}

/** Drops held events: they are in the log. */
export function overflow(backlog: Backlog): void {
  backlog.overflown = true
  backlog.events = []
}

async function sendMissed(
  parts: LiveParts,
  subscription: Subscription,
  first: Position,
  last: Position,
): Promise<void> {
  const { client, group } = subscription
  const { sendBuffer } = client
  // Hooks may be slow: subscribers with one must not delay the others.
  const isHooked = findHooks(parts.context, 'afterLiveQueryEvent', group.query.className) !== undefined
  const takeTurn = isHooked ? parts.takeHookedTurn : parts.takeTurn
  let [from, to] = [first, last]
  while (!subscription.ended) {
    const stuck = await takeTurn(() => sendLogged(parts, subscription, from, to))
    sendBuffer.flush()
    if (stuck !== undefined) {
      from = stuck
      await sendBuffer.drained()
      continue
    }
    from = to
    const { backlog } = subscription
    if (!backlog) return
    for (let next = backlog.events.shift(); next; next = backlog.events.shift()) {
      await sendHeld(parts, subscription, next)
      from = next.changeContext.position()
    }
    sendBuffer.flush()
    if (!backlog.overflown) {
      subscription.backlog = undefined
      return
    }
    to = hold(parts, subscription)
  }
}

/**
 * Sends the log between two positions. Returns the last position if the client cannot take more: pages of the log are
 * large, and must not wait in memory for slow readers.
 */
async function sendLogged(
  parts: LiveParts,
  subscription: Subscription,
  from: Position,
  to: Position,
): Promise<Position | undefined> {
  let reached = from
  for await (const page of parts.feed.read(from, to, subscription.group.query.className)) {
    if (subscription.ended) return undefined
    if (page === 'expired') {
      sendFrame(subscription.client, resync(subscription, to))
      return undefined
    }
    const stuck = await sendPage(parts, subscription, page)
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

/** Returns the number of the change that the client could not take. */
async function sendPage(
  parts: LiveParts,
  subscription: Subscription,
  page: Batch,
): Promise<number | 'unreadable' | undefined> {
  const { context } = parts
  await parts.settleClasses()
  await parts.sessions.settle()
  let begunAt = performance.now()
  for (const [index, change] of page.changes.entries()) {
    if (performance.now() - begunAt >= longestTurn) {
      await turn()
      begunAt = performance.now()
    }
    const schema = await findSchema(parts, change)
    await parts.identities.settle()
    const classSubscriptions = parts.subscriptionsByClass.get(change.className)
    if (!schema || !classSubscriptions || subscription.ended) return undefined
    refreshClassSubscriptions(parts, classSubscriptions, schema)
    if (!refreshGroup(parts, subscription.group, schema)) return undefined
    let matchedEvent: MatchedEvent | undefined
    try {
      const changeContext = createChangeContext(context, schema, change, () => page.position(index))
      if (!createBudget()(subscription.group.query, changeContext)) return 'unreadable'
      matchedEvent = matchChange(subscription.group, changeContext)
    } catch (error) {
      // A field was dropped and created again with another type. A client that reconnects for it would fail again and
      // again.
      context.log.warn({ err: error, className: change.className }, 'an earlier change can no longer be read')
      return 'unreadable'
    }
    if (matchedEvent && !(await trySend(parts, subscription, matchedEvent))) return index
  }
  subscription.client.sendBuffer.flush()
  return undefined
}

/** Checks held events again: read access may have changed since. */
async function sendHeld(parts: LiveParts, subscription: Subscription, { changeContext }: MatchedEvent): Promise<void> {
  const { group } = subscription
  await parts.identities.settle()
  const schema = parts.context.classes.find(group.query.className)
  if (!schema || subscription.ended || !refreshGroup(parts, group, schema)) return
  const matchedEvent = matchChange(group, changeContext)
  if (matchedEvent) await tell(parts, subscription, matchedEvent)
}

/** Waits for a client that reads slowly: nobody else waits with it. */
async function tell(parts: LiveParts, subscription: Subscription, matchedEvent: MatchedEvent): Promise<void> {
  const { sendBuffer } = subscription.client
  while (!(await trySend(parts, subscription, matchedEvent))) {
    sendBuffer.flush()
    await sendBuffer.drained()
  }
}

/** `false` where the client cannot take it now. */
async function trySend(parts: LiveParts, subscription: Subscription, matchedEvent: MatchedEvent): Promise<boolean> {
  const { session, ended, group } = subscription
  if (ended || (session && session.expiresAt <= parts.context.clock.now().getTime())) return true
  const handlers = findHooks(parts.context, 'afterLiveQueryEvent', group.query.className)
  return handlers
    ? deliverWithHooks(parts, handlers, subscription, matchedEvent)
    : deliver(parts.stats, subscription, matchedEvent)
}
