import {
  CountersignError,
  type LiveQueryText,
  type LiveRequest,
  refuse,
  valueKey,
  type WireFields,
} from '@countersign/protocol'
import { type ClassSchema, emptySchema } from '../classes/ClassSchema.ts'
import { isClassName } from '../classes/names.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import { showText } from '../encoding/showText.ts'
import { checkKeys, findHooks } from '../hooks/runHooks.ts'
import { createSelection } from '../objects/find/Selection.ts'
import { findClass } from '../objects/findClass.ts'
import { refuseInternal } from '../permissions/decide.ts'
import { isGet } from '../queries/readFind.ts'
import { requireSession } from '../users/sessions/sessions.ts'
import { callerFor } from './callerFor.ts'
import { catchUp } from './catchUp.ts'
import { refreshClassSubscriptions } from './deliver.ts'
import { endSubscription } from './endSubscription.ts'
import { followRoles, leaveRoles } from './followRoles.ts'
import type { Group, Identity, LiveClient, LiveParts, Subscription, SubscriptionQuery } from './Live.ts'
import { compileQuery } from './matching/compileQuery.ts'
import { createClassSubscriptions } from './matching/createClassSubscriptions.ts'
import { sendFrame } from './sockets/frames.ts'
import { storeAccess } from './storedAccess.ts'

type Frame = Extract<LiveRequest, { op: 'subscribe' | 'update' }>

/** Lets a client follow a query; an earlier one of the same number is replaced. */
export async function subscribe(parts: LiveParts, client: LiveClient, frame: Frame, bytes: number): Promise<void> {
  const { context, feed } = parts
  const caller = await callerFor(parts, client, frame.sessionToken)
  checkCount(context, client, frame.requestId)
  checkBytes(context, client, frame.requestId, bytes)
  const { className } = frame.query
  checkClass(caller, className)
  const asked = readAsked(className, await askHooks(context, caller, frame.query), context.clock.now())
  // After the hook, as in parse-server: a client shows the reason that the application gives.
  checkOpen(context, className)
  const held = caller.token ?? caller.session
  const session = held && parts.sessions.take(held)
  let identity: Identity | undefined
  let isOpen = false
  let joined = false
  try {
    await followRoles(parts)
    identity = await parts.identities.take(caller)
    refuseInternal(identity.access, className, asked.operation)
    if (!isClassName(className)) throw noClassName(className)
    const found = await findClass(context, className)
    if (found?.source && !found.source.isLive) {
      throw new CountersignError(
        'OperationForbidden',
        `Objects of ${className} are computed on request, so they have no live queries. Subscribe to transfers.`,
      )
    }
    compileQuery(context, schemaOf(parts, className), identity, asked)
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
      bytes,
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
    // The client may have disconnected and been the last that needed them.
    void followRoles(parts)
    // P6: the earlier query of the same number must not go on unseen.
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
  const access = client.followsAccess && { access: storeAccess(parts, subscription) }
  if (from === undefined || !client.positions) {
    return void sendFrame(client, {
      op: 'subscribed',
      requestId,
      ...(client.positions && { position: here }),
      ...access,
    })
  }
  const place = parts.feed.parsePosition(from)
  sendFrame(client, { op: 'subscribed', requestId, ...(place && { position: place }), ...access })
  if (!place) return void sendFrame(client, { op: 'resync', requestId, position: here })
  catchUp(parts, subscription, place)
}

function checkCount({ config }: Context, { subscriptions }: LiveClient, requestId: number): void {
  const { maxSubscriptionsPerSocket } = config.liveQuery
  if (subscriptions.size < maxSubscriptionsPerSocket || subscriptions.has(requestId)) return
  throw new CountersignError(
    'RequestLimitExceeded',
    `A socket can have at most ${maxSubscriptionsPerSocket} subscriptions. Unsubscribe from some, or raise liveQuery.maxSubscriptionsPerSocket.`,
  )
}

/** So many of the largest messages may stand at a time. */
const mostFrames = 4

/** Limits queries by bytes: one takes many times its text in memory, and its subscriber may be anonymous. */
function checkBytes({ config }: Context, client: LiveClient, requestId: number, bytes: number): void {
  const most = mostFrames * config.liveQuery.maxFrameSize
  let sum = bytes
  for (const each of client.subscriptions.values()) if (each.requestId !== requestId) sum += each.bytes
  if (sum <= most) return
  throw new CountersignError(
    'RequestLimitExceeded',
    `The queries of a socket can have at most ${most} bytes in total. Use smaller queries, or raise liveQuery.maxFrameSize.`,
  )
}

function checkClass(caller: Caller, className: string): void {
  // Other names with an underscore may be system classes, which are reported as closed.
  if (!isClassName(className) && !className.startsWith('_')) throw noClassName(className)
  if (className === '_Session' && !caller.isMaster) requireSession(caller)
}

function checkOpen({ config }: Context, className: string): void {
  const { classNames } = config.liveQuery
  if (classNames && !classNames.includes(className)) {
    throw new CountersignError(
      'OperationForbidden',
      `The class ${className.slice(0, 100)} is not open to live queries. Add it to liveQuery.classNames.`,
    )
  }
}

const noClassName = (className: string) =>
  new CountersignError('InvalidClassName', `Invalid class name: ${className.slice(0, 100)}.`)

/** Query after the hooks. */
async function askHooks(context: Context, caller: Caller, query: LiveQueryText): Promise<WireFields> {
  const { className, ...rest } = query
  let asked: WireFields = rest as WireFields
  for (const handle of findHooks(context, 'beforeSubscribe', className) ?? []) {
    const event = { hook: 'beforeSubscribe' as const, className, caller: codeCallerOf(caller) }
    const returned = await handle({ ...event, query: structuredClone(asked) })
    if (returned?.query) checkKeys(returned.query)
    asked = returned?.query ?? asked
  }
  return asked
}

function readAsked(className: string, { where, keys, fields, watch }: WireFields, askedAt: Date): Asked {
  const conditions = where !== null && typeof where === 'object' && !Array.isArray(where) ? (where as WireFields) : {}
  return {
    className,
    where: conditions,
    watch: readNames(watch),
    keys: readNames(keys ?? fields),
    operation: isGet(conditions) ? 'get' : 'find',
    askedAt,
  }
}

/** Hooks of the older form give names joined by commas. */
function readNames(names: WireFields[string] | undefined): string[] | undefined {
  const list =
    typeof names === 'string'
      ? names.split(',')
      : Array.isArray(names)
        ? names.map((name) => showText(name, 1_000))
        : []
  return list.length > 0 ? [...new Set(list)].sort() : undefined
}

/** A missing class has no fields yet; the query is compiled again once it is created. */
function schemaOf({ context, subscriptionsByClass }: LiveParts, className: string): ClassSchema {
  const asked = subscriptionsByClass.get(className)?.schema
  const missing = emptySchema(className)
  return context.classes.find(className) ?? (asked?.version === 0 ? asked : missing)
}

type Asked = Pick<SubscriptionQuery, 'className' | 'where' | 'watch' | 'operation' | 'askedAt'> & {
  keys: string[] | undefined
}

/** Group with the same query and rights, created if missing. Throws if the query is forbidden. */
function joinGroup(parts: LiveParts, schema: ClassSchema, identity: Identity, asked: Asked): Group {
  const { context, subscriptionsByClass } = parts
  const { condition, rights } = compileQuery(context, schema, identity, asked)
  const { keys } = createSelection(context.config, schema, { keys: asked.keys, excludeKeys: [], include: [] })
  const classSubscriptions = subscriptionsByClass.get(asked.className) ?? createClassSubscriptions(schema)
  subscriptionsByClass.set(asked.className, classSubscriptions)
  refreshClassSubscriptions(parts, classSubscriptions, schema)
  // The last of it may have been ended by that.
  subscriptionsByClass.set(asked.className, classSubscriptions)
  const where = valueKey(asked.where)
  // Subscriptions of different times mean different times by the same words.
  const since = where.includes('$relativeTime') ? asked.askedAt.getTime() : ''
  const key = `${asked.operation} ${where} ${asked.watch?.join() ?? '*'} ${since}`
  const known = classSubscriptions.queries.get(key)
  const query: SubscriptionQuery = known ?? {
    key,
    className: asked.className,
    where: asked.where,
    watch: asked.watch,
    operation: asked.operation,
    condition,
    groups: new Map(),
    askedAt: asked.askedAt,
    entries: undefined,
  }
  if (!known) classSubscriptions.add(query)
  const keysKey = asked.keys?.join() ?? '*'
  const groupKey = `${identity.key} ${keysKey}`
  const group: Group = query.groups.get(groupKey) ?? {
    key: groupKey,
    query,
    identity,
    keys,
    keysKey,
    rights,
    members: new Set(),
  }
  query.groups.set(groupKey, group)
  return group
}
