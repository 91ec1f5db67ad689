import { CountersignError, type LiveQueryText, type LiveRequest, refuse, type WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { isClassName } from '../classes/classNames.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import { checkKeys } from '../hooks/checkKeys.ts'
import { findHooks } from '../hooks/findHooks.ts'
import { findClass } from '../objects/findClass.ts'
import { refuseInternal } from '../permissions/refuseInternal.ts'
import { needSession } from '../users/needSession.ts'
import { callerFor } from './callerFor.ts'
import { catchUp } from './catchUp.ts'
import type { Identity } from './createIdentities.ts'
import { endSubscription } from './endSubscription.ts'
import { followRoles, leaveRoles } from './followRoles.ts'
import { type Asked, joinGroup } from './joinGroup.ts'
import type { LiveClient } from './LiveClient.ts'
import type { LiveParts } from './LiveParts.ts'
import { compileQuestion } from './matching/compileQuestion.ts'
import type { Subscription } from './Subscription.ts'
import { sendFrame } from './sockets/sendFrame.ts'

type Frame = Extract<LiveRequest, { op: 'subscribe' | 'update' }>

/** Lets a client follow a question; an earlier one of the same number is replaced. */
export async function subscribe(parts: LiveParts, client: LiveClient, frame: Frame): Promise<void> {
  const { context, feed } = parts
  const caller = await callerFor(parts, client, frame.sessionToken)
  checkCount(context, client, frame.requestId)
  const { className } = frame.query
  checkClass(context, caller, className)
  const asked = readAsked(className, await askHooks(context, caller, frame.query))
  const session = caller.session && parts.sessions.take(caller.session)
  let identity: Identity | undefined
  let isOpen = false
  let joined = false
  try {
    await followRoles(parts)
    identity = await parts.identities.take(caller)
    refuseInternal(identity.access, className, asked.operation)
    if (!isClassName(className)) throw noClassName(className)
    await findClass(context, className)
    compileQuestion(context, schemaOf(parts, className), identity, asked)
    isOpen = true
    await feed.openClass(className)
    await parts.settleClasses()
    await parts.sessions.settle()
    if (session?.hasEnded) throw refuse('invalidSessionToken')
    // From here on in one turn: whatever changes later finds the subscription in its place.
    if (client.socket.readyState !== client.socket.OPEN) return
    const group = joinGroup(parts, schemaOf(parts, className), identity, asked)
    const { requestId } = frame
    const subscription: Subscription = {
      client,
      requestId,
      group,
      caller,
      session,
      heads: new Map(),
      joined: parts.flow.batch,
      since: feed.current(),
      lastBatch: 0,
      lastIndex: 0,
      backlog: undefined,
      ended: false,
    }
    const before = client.subscriptions.get(requestId)
    group.members.add(subscription)
    client.subscriptions.set(requestId, subscription)
    session?.subscriptions.add(subscription)
    parts.stats.subscriptions++
    joined = true
    // One who failed meanwhile may have been the last to follow them.
    void followRoles(parts)
    // P6: the earlier question of the same number must not go on unseen.
    if (before) endSubscription(parts, before)
    start(parts, subscription, frame.from)
  } finally {
    if (!joined) {
      if (isOpen) feed.closeClass(className)
      if (identity) parts.identities.release(identity)
      if (session) parts.sessions.release(session)
      leaveRoles(parts)
    }
  }
}

function start(parts: LiveParts, subscription: Subscription, from: string | undefined): void {
  const { client, requestId } = subscription
  const here = subscription.since
  if (from === undefined || !client.positions) {
    return void sendFrame(client, { op: 'subscribed', requestId, ...(client.positions && { position: here }) })
  }
  const place = parts.feed.parsePosition(from)
  sendFrame(client, { op: 'subscribed', requestId, ...(place && { position: place }) })
  if (!place) return void sendFrame(client, { op: 'resync', requestId, position: here })
  catchUp(parts, subscription, place)
}

function checkCount({ config }: Context, { subscriptions }: LiveClient, requestId: number): void {
  const { maxSubscriptionsPerSocket } = config.liveQuery
  if (subscriptions.size < maxSubscriptionsPerSocket || subscriptions.has(requestId)) return
  throw new CountersignError(
    'RequestLimitExceeded',
    `A socket may have ${maxSubscriptionsPerSocket} subscriptions at most. Unsubscribe from some, or raise liveQuery.maxSubscriptionsPerSocket.`,
  )
}

function checkClass({ config }: Context, caller: Caller, className: string): void {
  // Others with an underscore may be the server's own, of which it is told that they are closed.
  if (!isClassName(className) && !className.startsWith('_')) throw noClassName(className)
  const { classNames } = config.liveQuery
  if (classNames && !classNames.includes(className)) {
    throw new CountersignError(
      'OperationForbidden',
      `The class ${className.slice(0, 100)} is not open to live queries. Add it to liveQuery.classNames.`,
    )
  }
  if (className === '_Session' && !caller.isMaster) needSession(caller)
}

const noClassName = (className: string) =>
  new CountersignError('InvalidClassName', `Invalid class name: ${className.slice(0, 100)}.`)

/** The query that hooks make of the one that was asked. */
async function askHooks(context: Context, caller: Caller, query: LiveQueryText): Promise<WireFields> {
  const { className, ...rest } = query
  let asked: WireFields = rest as WireFields
  for (const handle of findHooks(context, 'beforeSubscribe', className) ?? []) {
    const told = { hook: 'beforeSubscribe' as const, className, caller: codeCallerOf(caller) }
    const returned = await handle({ ...told, query: structuredClone(asked) })
    if (returned?.query) checkKeys(returned.query)
    asked = returned?.query ?? asked
  }
  return asked
}

function readAsked(className: string, { where, keys, fields, watch }: WireFields): Asked {
  const conditions = where !== null && typeof where === 'object' && !Array.isArray(where) ? (where as WireFields) : {}
  return {
    className,
    where: conditions,
    watch: readNames(watch),
    keys: readNames(keys ?? fields),
    operation: isGet(conditions) ? 'get' : 'find',
  }
}

/** Hooks of the older form give names joined by commas. */
function readNames(names: WireFields[string] | undefined): string[] | undefined {
  const list = typeof names === 'string' ? names.split(',') : Array.isArray(names) ? names.map(String) : []
  return list.length > 0 ? [...new Set(list)].sort() : undefined
}

/** Asking for one id is what reading one object is. */
function isGet(where: WireFields): boolean {
  const entries = Object.entries(where)
  return entries.length === 1 && entries[0]?.[0] === 'objectId' && typeof entries[0][1] === 'string'
}

/** One that is not there yet has no fields; the question is read anew once it is made. */
function schemaOf({ context, rooms }: LiveParts, className: string): ClassSchema {
  const asked = rooms.get(className)?.schema
  const missing: ClassSchema = { className, fields: new Map(), relations: new Map(), indexes: new Map(), version: 0 }
  return context.classes.find(className) ?? (asked?.version === 0 ? asked : missing)
}
