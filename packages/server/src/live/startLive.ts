import { CountersignError } from '@countersign/protocol'
import { classesChannel } from '../classes/applySteps.ts'
import type { Context } from '../context/Context.ts'
import { createLimiter } from '../work/createLimiter.ts'
import { acceptClient } from './acceptClient.ts'
import { retired } from './callerFor.ts'
import { createIdentities } from './createIdentities.ts'
import { createSessions } from './createSessions.ts'
import { dispatchBatch } from './dispatchBatch.ts'
import { endSubscription } from './endSubscription.ts'
import { createFeed } from './feed/createFeed.ts'
import type { LiveSession } from './Live.ts'
import { createLiveStats, type Live, type LiveParts } from './Live.ts'
import { closeSocket, sendError, sendFrame } from './sockets/frames.ts'
import { settleAccess } from './storedAccess.ts'

/** How many catch up from the log at once. */
const mostCatchingUp = 16

/** Time (ms) in which a client that logged out closes its connection. */
const farewell = 500

/** Starts live queries: the log of changes is followed, and subscribers are notified. */
export async function startLive(context: Context): Promise<Live> {
  const { db, classes, config, log } = context
  const feed = await createFeed({
    db,
    log,
    retention: config.liveQuery.retention * 1000,
    hasSpread: () => context.classes.list().some(({ distributed }) => distributed),
  })
  const identities = createIdentities(context)
  let classesInDoubt = false
  const doubtClasses = () => {
    classesInDoubt = true
  }
  const settleClasses = () => {
    if (!db.listening()) identities.doubt()
    else if (!classesInDoubt) return undefined
    classesInDoubt = false
    return classes.refresh()
  }
  const endSession = (session: LiveSession) => {
    const error = new CountersignError('InvalidSessionToken', 'The session has ended.')
    for (const subscription of [...session.subscriptions]) {
      endSubscription(parts, subscription)
      const { client, requestId } = subscription
      const report = () => client.subscriptions.has(requestId) || sendError(client, error, requestId)
      // A `parse` client that logs out and closes must not get it: it would reject a promise that nobody handles.
      if (client.positions) report()
      else setTimeout(report, farewell).unref()
    }
  }
  const renewSession = (session: LiveSession) => {
    const clients = new Set([...session.subscriptions].map(({ client }) => client))
    for (const subscription of [...session.subscriptions]) endSubscription(parts, subscription)
    // Clients connect again with the new token, and continue where they were.
    for (const { socket } of clients) void closeSocket(socket, 1012, 'session renewed')
  }
  const parts: LiveParts = {
    context,
    feed,
    stats: createLiveStats(),
    clients: new Set(),
    identities,
    sessions: await createSessions(context, { end: endSession, renew: renewSession }),
    subscriptionsByClass: new Map(),
    flow: { batch: 0, isBusy: false, sentUpTo: feed.current(), isStopped: false },
    users: new Map(),
    settleClasses,
    takeTurn: createLimiter(mostCatchingUp),
    takeHookedTurn: createLimiter(mostCatchingUp),
    roles: undefined,
    stored: new Set(),
  }
  const unwatch = feed.watch(async (batch) => {
    const { flow } = parts
    flow.batch++
    flow.isBusy = true
    try {
      await dispatchBatch(parts, batch, flow.sentUpTo)
      flow.sentUpTo = batch.end
    } finally {
      flow.isBusy = false
    }
  })
  const endings = await Promise.all([
    db.listen('countersign_roles', identities.doubt, identities.doubt),
    db.listen(classesChannel, doubtClasses, doubtClasses),
  ])
  const judgeKeys = () => closeRetired(parts)
  context.keyWatchers.add(judgeKeys)
  const timer = setInterval(() => {
    sendHeartbeats(parts)
    // Without changes of documents, changed permissions of a class would be noticed by nobody.
    if (parts.stored.size > 0) context.background.run('changed rights of live queries', () => settleAccess(parts))
  }, config.liveQuery.websocketTimeout)

  return {
    stats: parts.stats,
    accept: (visitor) => acceptClient(parts, visitor),
    async stop() {
      clearInterval(timer)
      context.keyWatchers.delete(judgeKeys)
      parts.flow.isStopped = true
      unwatch()
      await Promise.all([...parts.clients].map(({ socket }) => closeSocket(socket)))
      await parts.sessions.stop()
      await Promise.all(endings.map((ending) => ending()))
      await feed.stop()
    },
  }
}

/** Closes the sockets of revoked keys. Their subscriptions end immediately, the socket soon after. */
function closeRetired(parts: LiveParts): void {
  for (const client of [...parts.clients]) {
    if (client.caller?.keysHold?.() !== false) continue
    for (const subscription of [...client.subscriptions.values()]) endSubscription(parts, subscription)
    sendError(client, retired(), null)
    void closeSocket(client.socket, 1008, 'key retired')
  }
}

/** Sends a heartbeat to every client, and closes those that sent none since the last. */
function sendHeartbeats(parts: LiveParts): void {
  const { clients, feed, flow, stats, context } = parts
  // A place is sent only where everything before it was sent.
  const position = flow.isBusy ? flow.sentUpTo : feed.current()
  for (const client of clients) {
    if (!client.isAlive) {
      client.socket.terminate()
      continue
    }
    client.isAlive = false
    client.socket.ping()
    if (!client.positions) continue
    // A place is sent only where everything before it was sent, the sign of life in any case.
    const isUncertain = client.slow || flow.isBusy
    const isBehind = isUncertain || [...client.subscriptions.values()].some(({ backlog }) => backlog !== undefined)
    sendFrame(client, { op: 'position', ...(!isBehind && { position }) })
  }
  if (stats.sockets > 0) context.log.debug({ live: { ...stats } }, 'live queries')
}
