import { CountersignError } from '@countersign/protocol'
import { classesChannel } from '../classes/saveClass.ts'
import type { Context } from '../context/Context.ts'
import { createTurnstile } from '../context/createTurnstile.ts'
import { acceptClient } from './acceptClient.ts'
import { beat } from './beat.ts'
import { createIdentities } from './createIdentities.ts'
import { createSessions, type LiveSession } from './createSessions.ts'
import { endSubscription } from './endSubscription.ts'
import { createFeed } from './feed/createFeed.ts'
import type { Live } from './Live.ts'
import type { LiveParts } from './LiveParts.ts'
import { createLiveStats } from './LiveStats.ts'
import { sayFarewell } from './sockets/sayFarewell.ts'
import { sendError } from './sockets/sendFrame.ts'
import { tellBatch } from './tellBatch.ts'

/** How many are told from the log at once. */
const mostCatchingUp = 16

/** Starts live queries: the log of changes is followed, and whoever asks is told. */
export async function startLive(context: Context): Promise<Live> {
  const { db, classes, config, log } = context
  const feed = await createFeed({ db, log, retention: config.liveQuery.retention * 1000 })
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
      sendError(subscription.client, error, subscription.requestId)
    }
  }
  const parts: LiveParts = {
    context,
    feed,
    stats: createLiveStats(),
    clients: new Set(),
    identities,
    sessions: await createSessions(context, endSession),
    rooms: new Map(),
    flow: { batch: 0, isBusy: false, told: feed.current(), isStopped: false },
    users: new Map(),
    settleClasses,
    takeTurn: createTurnstile(mostCatchingUp),
    takeHookedTurn: createTurnstile(mostCatchingUp),
    roles: undefined,
  }
  const unwatch = feed.watch(async (batch) => {
    const { flow } = parts
    flow.batch++
    flow.isBusy = true
    try {
      await tellBatch(parts, batch, flow.told)
      flow.told = batch.end
    } finally {
      flow.isBusy = false
    }
  })
  const endings = await Promise.all([
    db.listen('countersign_roles', identities.doubt, identities.doubt),
    db.listen(classesChannel, doubtClasses, doubtClasses),
  ])
  const timer = setInterval(() => beat(parts), config.liveQuery.websocketTimeout)

  return {
    stats: parts.stats,
    accept: (visitor) => acceptClient(parts, visitor),
    async stop() {
      clearInterval(timer)
      parts.flow.isStopped = true
      unwatch()
      await Promise.all([...parts.clients].map(({ socket }) => sayFarewell(socket)))
      await parts.sessions.stop()
      await Promise.all(endings.map((ending) => ending()))
      await feed.stop()
    },
  }
}
