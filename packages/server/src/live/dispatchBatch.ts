import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { CountersignError } from '@countersign/protocol'
import type { HookHandler } from '../context/Registry.ts'
import { findHooks } from '../hooks/runHooks.ts'
import { catchUp, holdBack, overflow } from './catchUp.ts'
import { deliver, deliverWithHooks, findSchema, refreshClassSubscriptions, refreshGroup } from './deliver.ts'
import { endSubscription } from './endSubscription.ts'
import type { Change, Position, WatchedBatch } from './feed/Feed.ts'
import type { ClassSubscriptions, Group, LiveClient, LiveParts, MatchedEvent, Slow, Subscription } from './Live.ts'
import { bodyOf, createBudget, createChangeContext, isReadable, matchChange } from './matching/matchChange.ts'
import { sendError, sendFrame } from './sockets/frames.ts'
import { reportAccess } from './storedAccess.ts'

const shortBreak = 100

/** Deliveries, and milliseconds of work, until others get their turn. */
const mostAtOnce = 5_000
const longestTurn = 20
/** Milliseconds that everyone waits for a hook. */
const patience = 100

/** Sends a batch of changes to all subscribers it concerns, in order. */
export async function dispatchBatch(parts: LiveParts, batch: WatchedBatch, previous: Position): Promise<void> {
  const { context, subscriptionsByClass, stats } = parts
  const touched = new Set<LiveClient>()
  let begun = stats.deliveries
  let begunAt = performance.now()
  if (batch.gap) sendResync(parts, [...subscriptionsByClass.values()].flatMap(subscriptionsOf), batch.end)
  // Pending changes of classes, sessions and roles are loaded first, so that no subscriber is checked against outdated
  // rights.
  const settlings = [() => parts.settleClasses(), () => parts.sessions.settle(), () => parts.identities.settle()]
  for (const settle of settlings) await retryUntilAvailable(parts, settle)
  reportAccess(parts)
  for (const [index, change] of batch.changes.entries()) {
    if (change.className === '_Role') {
      parts.identities.doubt()
      await retryUntilAvailable(parts, () => parts.identities.settle())
      reportAccess(parts)
    }
    const classSubscriptions = subscriptionsByClass.get(change.className)
    if (!classSubscriptions) continue
    try {
      await dispatchChange(classSubscriptions, change, index)
    } catch (error) {
      context.log.error({ err: error, className: change.className }, 'a change could not be delivered')
      sendResync(parts, subscriptionsOf(classSubscriptions), batch.position(index))
    }
    stats.lag = Date.now() - change.at
    if (stats.deliveries - begun < mostAtOnce && performance.now() - begunAt < longestTurn) continue
    await takeTurns()
  }
  flush()

  /** Lets everyone else have a turn, within a change too: hundreds of costly patterns are asked of each. */
  async function takeTurns(): Promise<void> {
    flush()
    await turn()
    begun = stats.deliveries
    begunAt = performance.now()
  }

  async function dispatchChange(classSubscriptions: ClassSubscriptions, change: Change, index: number): Promise<void> {
    const found = findSchema(parts, change)
    const schema = found instanceof Promise ? await retryUntilAvailable(parts, () => findSchema(parts, change)) : found
    if (!schema) return
    refreshClassSubscriptions(parts, classSubscriptions, schema)
    const changeContext = createChangeContext(context, schema, change, () => batch.position(index))
    const handlers = findHooks(context, 'afterLiveQueryEvent', change.className)
    const now = context.clock.now().getTime()
    const asked: Promise<void>[] = []
    let patienceEnds: Promise<undefined> | undefined
    const mayDecide = createBudget()
    // A copy: others subscribe and leave while this change waits for its next turn.
    for (const query of [...classSubscriptions.candidates(changeContext.before, changeContext.after)]) {
      if (performance.now() - begunAt > longestTurn) await takeTurns()
      const isPaid = mayDecide(query, changeContext)
      for (const group of query.groups.values()) {
        if (!refreshGroup(parts, group, schema)) continue
        if (!isPaid) {
          // P6: reveals the change only to subscribers who may read the object.
          if (isReadable(group, changeContext)) skipEvent(parts, group, changeContext.position, now)
          continue
        }
        const matchedEvent = matchChange(group, changeContext)
        if (!matchedEvent) continue
        for (const member of group.members) {
          if (!mayReceive(parts, member, now)) continue
          if (member.backlog) holdBack(parts, member, matchedEvent, bodyOf(group, matchedEvent).plain.length)
          else if (member.client.slow) continue
          else if (handlers) {
            patienceEnds ??= pause(patience, undefined, { ref: false })
            asked.push(ask(handlers, member, matchedEvent, index, patienceEnds))
          } else note(member, deliver(stats, member, matchedEvent), index)
        }
      }
    }
    if (asked.length > 0) await Promise.all(asked)
  }

  async function ask(
    handlers: readonly HookHandler[],
    member: Subscription,
    matchedEvent: MatchedEvent,
    index: number,
    patienceEnds: Promise<undefined>,
  ): Promise<void> {
    const delivered = deliverWithHooks(parts, handlers, member, matchedEvent)
    const isTaken = await Promise.race([delivered, patienceEnds])
    if (isTaken === undefined && member.ended) return
    if (isTaken === undefined && !member.backlog && !member.client.slow) {
      // Subscribers with a slow hook come later, and in order; the others are notified now.
      const place = delivered.then((isSent) => (isSent ? batch.position(index) : placeBefore(index)))
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
      pauseSlowClient(parts, client, {
        from: placeBefore(index),
        after: batch.position(index),
        batch: parts.flow.batch,
        index,
      })
    }
  }

  function flush(): void {
    for (const client of touched) client.sendBuffer.flush()
    touched.clear()
  }
}

/** Asks the members of a group to query again, for a change that was too costly to match. */
function skipEvent(parts: LiveParts, { members }: Group, position: () => Position, now: number): void {
  for (const member of [...members]) {
    if (!mayReceive(parts, member, now) || member.client.slow) continue
    if (member.backlog) overflow(member.backlog)
    else sendResync(parts, [member], position())
  }
}

function mayReceive({ flow }: LiveParts, { ended, joined, session }: Subscription, now: number): boolean {
  return !ended && joined !== flow.batch && (session === undefined || session.expiresAt > now)
}

function subscriptionsOf({ queries }: ClassSubscriptions): Subscription[] {
  return [...queries.values()].flatMap(({ groups }) => [...groups.values()].flatMap(({ members }) => [...members]))
}

/**
 * Repeats database work until it succeeds: without the database nothing can be checked, and nothing new arrives either.
 * Costs nothing if there is nothing to do.
 */
async function retryUntilAvailable<Result>(parts: LiveParts, work: () => Result | Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (parts.flow.isStopped) throw error
      parts.context.log.warn({ err: error }, 'live queries are waiting for the database')
      await pause(shortBreak, undefined, { ref: false })
    }
  }
}

/** Notifies subscribers that lost changes: those with support get a resync, the others have to reconnect. */
function sendResync(parts: LiveParts, subscriptions: readonly Subscription[], position: Position): void {
  for (const subscription of subscriptions) {
    const { client, requestId, ended } = subscription
    if (ended) continue
    if (client.positions) sendFrame(client, { op: 'resync', requestId, position })
    else sendAway(parts, subscription)
  }
}

function sendAway(parts: LiveParts, { client }: Subscription): void {
  for (const each of [...client.subscriptions.values()]) endSubscription(parts, each)
  sendError(client, new CountersignError('Timeout', 'Events were dropped. Reconnect.'), null, true)
  client.socket.close(1013, 'events were lost')
}

/**
 * Pauses a client that reads too slowly, so that its buffer stays limited. Once it has caught up, it gets the rest from
 * the log; a client without positions has to reconnect and query again.
 */
function pauseSlowClient(parts: LiveParts, client: LiveClient, slow: Slow): void {
  client.slow = slow
  parts.stats.slow++
  client.sendBuffer.flush()
  parts.context.background.run('slow client', async () => {
    await client.sendBuffer.drained()
    if (client.socket.readyState !== client.socket.OPEN) return
    if (client.positions) {
      client.slow = undefined
      for (const subscription of client.subscriptions.values()) {
        if (!subscription.backlog) catchUp(parts, subscription, missedFrom(slow, subscription))
      }
      return
    }
    for (const subscription of [...client.subscriptions.values()]) endSubscription(parts, subscription)
    sendError(
      client,
      new CountersignError('Timeout', 'Events were dropped because the client read too slowly.'),
      null,
      true,
    )
    client.socket.close(1013, 'too slow')
  })
}

/** Position from which each subscription continues: a new one got nothing yet, another may have got the same change. */
function missedFrom({ from, after, batch, index }: Slow, subscription: Subscription): Position {
  const { joined, since, lastBatch, lastIndex } = subscription
  if (joined >= batch || (index === 0 && joined === batch - 1)) return since
  return lastBatch === batch && lastIndex === index ? after : from
}
