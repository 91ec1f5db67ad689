import type { LiveEventName, WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { withFileUrls } from '../classes/fileUrls.ts'
import type { Context } from '../context/Context.ts'
import { codeCallerOf } from '../context/codeCaller.ts'
import type { HookHandler } from '../context/Registry.ts'
import { projectObject } from '../objects/find/Selection.ts'
import { stripHidden } from '../permissions/hiddenFields.ts'
import { endSubscription } from './endSubscription.ts'
import type { Change } from './feed/Feed.ts'
import type { ClassSubscriptions, Group, LiveParts, LiveStats, MatchedEvent, Subscription } from './Live.ts'
import { compileQuery } from './matching/compileQuery.ts'
import { asFound, bodyOf, positionedBody } from './matching/matchChange.ts'
import { encodeFrame, sendError } from './sockets/frames.ts'

/** Adds an event to a subscriber's send buffer; `flush` sends it. `false` if the subscriber reads too slowly. */
export function deliver(stats: LiveStats, subscription: Subscription, matchedEvent: MatchedEvent): boolean {
  const { client, group } = subscription
  const body = bodyOf(group, matchedEvent)
  const rest = client.positions ? positionedBody(body, matchedEvent) : body.plain
  if (!client.sendBuffer.push(encodeFrame(headOf(subscription, matchedEvent.event), rest))) return false
  stats.deliveries++
  return true
}

/** Head of a frame: the part that differs between subscribers of the same event. */
function headOf({ heads, client, requestId }: Subscription, event: LiveEventName): Buffer {
  const known = heads.get(event)
  if (known) return known
  const made = Buffer.from(`{"op":"${event}",${client.who},"requestId":${requestId}`)
  heads.set(event, made)
  return made
}

const events = new Set<string>(['create', 'update', 'enter', 'leave', 'delete'])

/** As `deliver`, by way of the application's own code, which may say something else to each. */
export async function deliverWithHooks(
  { context, stats }: { context: Context; stats: LiveStats },
  handlers: readonly HookHandler[],
  subscription: Subscription,
  matchedEvent: MatchedEvent,
): Promise<boolean> {
  const { client, group } = subscription
  const changed = await runEventHooks(context, handlers, subscription, matchedEvent)
  if (!changed || subscription.ended) return true
  const write = (object: WireFields, stored: WireFields) =>
    JSON.stringify({
      className: group.query.className,
      ...projectObject(asFound(open(object, stored)), group.keys, undefined),
    })
  // Hidden fields are decided by the stored values, not by a hook's result.
  const open = (object: WireFields, stored: WireFields) => {
    const { hidden, schema, access } = group.rights
    const shown = stripHidden(hidden, schema, access, stored)
    if (shown === stored) return object
    return Object.fromEntries(
      Object.entries(object).filter(([name]) => Object.hasOwn(shown, name) || !Object.hasOwn(stored, name)),
    )
  }
  const original =
    changed.original && `,"original":${write(changed.original, matchedEvent.original ?? matchedEvent.object)}`
  const position = client.positions ? `,"position":${JSON.stringify(matchedEvent.changeContext.position())}` : ''
  const text = `,"object":${write(changed.object, matchedEvent.object)}${original ?? ''}${position}}`
  if (!client.sendBuffer.push(encodeFrame(headOf(subscription, changed.event), Buffer.from(text)))) return false
  stats.deliveries++
  return true
}

type Changed = { event: LiveEventName; object: WireFields; original: WireFields | undefined }

/**
 * Calls hooks for the event of a subscriber. Each call has its own copy, so that changes reach nobody else. `undefined`
 * if nothing is to be sent, or if a hook fails.
 */
async function runEventHooks(
  context: Context,
  handlers: readonly HookHandler[],
  { caller, group }: Subscription,
  matchedEvent: MatchedEvent,
): Promise<Changed | undefined> {
  let { event }: Changed = matchedEvent
  let object = asFound(matchedEvent.object)
  let original = matchedEvent.original && asFound(matchedEvent.original)
  try {
    for (const handle of handlers) {
      const copy = structuredClone({ event, object, ...(original && { original }) })
      const { className } = group.query
      const hook = 'afterLiveQueryEvent' as const
      const returned = await handle({ hook, className, caller: codeCallerOf(caller), sendEvent: true, ...copy })
      if (returned?.sendEvent === false) return undefined
      if (returned?.event !== undefined && events.has(returned.event)) event = returned.event
      object = returned?.object ?? object
      original = returned?.original ?? original
    }
    return withFileUrls(context, { event, object, original })
  } catch (error) {
    context.log.error({ err: error, hook: 'afterLiveQueryEvent', className: group.query.className }, 'hook failed')
    return undefined
  }
}

/** Reads the queries about a class again where the class has changed. */
export function refreshClassSubscriptions(
  parts: LiveParts,
  classSubscriptions: ClassSubscriptions,
  schema: ClassSchema,
): void {
  if (classSubscriptions.schema === schema) return
  classSubscriptions.schema = schema
  for (const query of [...classSubscriptions.queries.values()]) {
    for (const group of [...query.groups.values()]) refreshGroup(parts, group, schema)
    if (classSubscriptions.queries.has(query.key)) classSubscriptions.replace(query)
  }
}

/** The same for one group, also if the roles of its members changed. Members who lost access are notified. */
export function refreshGroup(parts: LiveParts, group: Group, schema: ClassSchema): boolean {
  const { query, identity, rights } = group
  if (rights.schema === schema && rights.access === identity.access) return true
  try {
    const compiled = compileQuery(parts.context, schema, identity, query)
    group.rights = compiled.rights
    query.condition = compiled.condition
    return true
  } catch (error) {
    for (const member of [...group.members]) {
      endSubscription(parts, member)
      sendError(member.client, error, member.requestId)
    }
    return false
  }
}

/** Versions of classes that lack a column of a row even when read again: the field was dropped in between. */
const lacking = new WeakSet<ClassSchema>()

const own = new Set(['objectId', 'createdAt', 'updatedAt'])

/** The class as it must be known to read a row of it: another server may have made a field a moment ago. */
export function findSchema(
  { context }: LiveParts,
  { className, before, after }: Change,
): ClassSchema | undefined | Promise<ClassSchema | undefined> {
  const { classes } = context
  const schema = classes.find(className)
  if (schema && (lacking.has(schema) || (isKnown(schema, before) && isKnown(schema, after)))) return schema
  return classes.refresh().then(() => {
    const fresh = classes.find(className)
    if (fresh && !(isKnown(fresh, before) && isKnown(fresh, after))) lacking.add(fresh)
    return fresh
  })
}

function isKnown(schema: ClassSchema, row: Change['after']): boolean {
  if (!row) return true
  for (const name in row) {
    if (!schema.fields.has(name) && !own.has(name) && name.charCodeAt(0) !== 95) return false
  }
  return true
}
