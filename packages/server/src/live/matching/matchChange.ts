import { type LiveEventName, sameValue, type WireFields, type WireValue } from '@countersign/protocol'
import { decodeWholeAcl, walletReaders } from '../../classes/acl.ts'
import type { ClassSchema } from '../../classes/ClassSchema.ts'
import { fillFileUrls } from '../../classes/fileUrls.ts'
import type { Context } from '../../context/Context.ts'
import { decodeObject, type JsonRow } from '../../objects/decodeObject.ts'
import { projectObject } from '../../objects/find/Selection.ts'
import { stripHidden } from '../../permissions/hiddenFields.ts'
import { mayAccess } from '../../permissions/mayAccess.ts'
import { matches } from '../../queries/matches.ts'
import { workOf } from '../../queries/workOf.ts'
import type { Change, Position } from '../feed/Feed.ts'
import type { Body, ChangeContext, Group, LiveClient, MatchedEvent, Rights, SubscriptionQuery } from '../Live.ts'

const was = 1

const is = 2

/** Event for the group, from what its members could read before and after. Undefined if there is none. */
export function matchChange({ query, rights }: Group, changeContext: ChangeContext): MatchedEvent | undefined {
  const matched = matchedBy(query, changeContext)
  if (matched === 0) return undefined
  const readable = readableBy(rights, changeContext)
  const both = matched & readable
  if (both === 0) return undefined
  const { before, after } = changeContext
  const event = nameEvent(both, before !== undefined, after !== undefined)
  if (query.watch && (event === 'create' || event === 'update') && !hasChanged(query.watch, changeContext)) {
    return undefined
  }
  if (event === 'update' && isOfReadersAlone(changeContext)) return undefined
  // Values that can no longer be read are not sent on leaving, and former unreadable ones not on entering.
  const object = (readable & is) !== 0 ? after : before
  const original = event === 'create' || event === 'delete' || (readable & was) === 0 ? undefined : before
  return object && { event, changeContext, object, original }
}

/** Returns true if the group may read the document before or after the change. */
export function isReadable({ rights }: Group, changeContext: ChangeContext): boolean {
  return readableBy(rights, changeContext) !== 0
}

function nameEvent(both: number, existed: boolean, exists: boolean): LiveEventName {
  if (both === (was | is)) return 'update'
  if (both === is) return existed ? 'enter' : 'create'
  return exists ? 'leave' : 'delete'
}

function matchedBy(query: SubscriptionQuery, { matched, before, after }: ChangeContext): number {
  const known = matched.get(query)
  if (known !== undefined) return known
  const found =
    (before && matches(query.condition, before) ? was : 0) | (after && matches(query.condition, after) ? is : 0)
  matched.set(query, found)
  return found
}

function readableBy(rights: Rights, { readable, before, after }: ChangeContext): number {
  const known = readable.get(rights)
  if (known !== undefined) return known
  const { schema, access, decision } = rights
  const may = (object: WireFields | undefined) => object && mayAccess(schema, access, decision, 'read', object)
  const found = (may(before) ? was : 0) | (may(after) ? is : 0)
  readable.set(rights, found)
  return found
}

function hasChanged(fields: readonly string[], { before, after, changed }: ChangeContext): boolean {
  return fields.some((field) => {
    const known = changed.get(field) ?? !isSame(fieldOf(before, field), fieldOf(after, field))
    changed.set(field, known)
    return known
  })
}

/** Hides a linked or unlinked wallet of another user from former readers of the event. */
function isOfReadersAlone(changeContext: ChangeContext): boolean {
  const { before, after } = changeContext
  if (!before || !after || !isOfWallets(after)) return false
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  names.delete('ACL')
  return !hasChanged([...names], changeContext)
}

const isOfWallets = ({ ACL }: WireFields) =>
  typeof ACL === 'object' && ACL !== null && Object.hasOwn(ACL, walletReaders)

function fieldOf(object: WireFields | undefined, field: string): WireValue | undefined {
  return object && Object.hasOwn(object, field) ? object[field] : undefined
}

function isSame(one: WireValue | undefined, other: WireValue | undefined): boolean {
  return one === undefined || other === undefined ? one === other : sameValue(one, other)
}

/** Event body as text, without hidden or unselected fields. Written once for all who see the same. */
export function bodyOf({ rights, keys, keysKey }: Group, { changeContext, object, original }: MatchedEvent): Body {
  const { bodies, after } = changeContext
  const which = object === after ? 'a' : 'b'
  const seen = view(rights, object)
  const seenBefore = original && view(rights, original)
  const key = `${which}${original ? 'o' : ''} ${keysKey} ${seen.key} ${seenBefore?.key ?? ''}`
  const known = bodies.get(key)
  if (known) return known
  const write = (shown: WireFields) =>
    JSON.stringify({
      className: rights.schema.className,
      ...projectObject(asFound(shown), keys, undefined),
    })
  const text = `,"object":${write(seen.open())}${seenBefore ? `,"original":${write(seenBefore.open())}` : ''}}`
  const body: Body = { plain: Buffer.from(text), positioned: undefined }
  bodies.set(key, body)
  return body
}

/** As a query finds it: an access list that was made of wallets is not shown. */
export function asFound(object: WireFields): WireFields {
  return isOfWallets(object) ? { ...object, ACL: {} } : object
}

/** The same with the place of the change, for clients that remember it. */
export function positionedBody(body: Body, { changeContext }: MatchedEvent): Buffer {
  body.positioned ??= Buffer.concat([
    body.plain.subarray(0, -1),
    Buffer.from(`,"position":${JSON.stringify(changeContext.position())}}`),
  ])
  return body.positioned
}

type View = { key: string; open: () => WireFields }

/** Visible fields of a document for the group, and a key for its hidden fields. */
function view({ schema, access, hidden, hiddenKey }: Rights, object: WireFields): View {
  if (hiddenKey !== undefined) {
    return { key: hiddenKey, open: () => (hiddenKey === '' ? object : stripHidden(hidden, schema, access, object)) }
  }
  const open = stripHidden(hidden, schema, access, object)
  const missing = open === object ? [] : Object.keys(object).filter((name) => !Object.hasOwn(open, name))
  return { key: missing.join(), open: () => open }
}

export function createChangeContext(
  context: Context,
  schema: ClassSchema,
  change: Change,
  position: () => Position,
): ChangeContext {
  const decode = (row: Change['before']) => {
    if (!row) return undefined
    const object = fillFileUrls(context, schema, decodeObject(schema, row as JsonRow))
    // Subscribers are judged by the whole list; `asFound` hides what is not for them.
    return object.ACL ? { ...object, ACL: decodeWholeAcl(row as JsonRow) as WireValue } : object
  }
  return {
    schema,
    before: decode(change.before),
    after: decode(change.after),
    position,
    matched: new Map(),
    readable: new Map(),
    bodies: new Map(),
    changed: new Map(),
  }
}

/** Work of deciding one change: about a fifth of a second for a socket, half a second for all sockets together. */
const mostOfSocket = 2_000_000

const mostOfChange = 5_000_000

/** Decides if a query may still be evaluated for a change, by its cost and the cost of those before it. */
export type Budget = (query: SubscriptionQuery, changeContext: ChangeContext) => boolean

/**
 * Limits the cost of one subscriber, who may put hundreds of patterns and long lists on every change, on the shared
 * thread. A query is paid by the first subscriber with enough budget left, so nobody pays for another's.
 */
export function createBudget(): Budget {
  const spent = new Map<LiveClient, number>()
  let total = 0
  return (query, { before, after }) => {
    const { condition, groups } = query
    const work = workOf(condition, before) + workOf(condition, after)
    if (work === 0) return true
    if (total + work > mostOfChange) return false
    for (const { members } of groups.values()) {
      for (const { client } of members) {
        const paid = (spent.get(client) ?? 0) + work
        if (paid > mostOfSocket) continue
        spent.set(client, paid)
        total += work
        return true
      }
    }
    return false
  }
}
