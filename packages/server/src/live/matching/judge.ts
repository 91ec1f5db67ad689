import type { LiveEventName, WireFields, WireValue } from '@countersign/protocol'
import { sameValue } from '../../classes/sameValue.ts'
import { mayAccess } from '../../permissions/mayAccess.ts'
import { matches } from '../../queries/matches.ts'
import type { Happening } from './Happening.ts'
import type { Group, Question, Rights } from './Matching.ts'

/** What a group is told of a change. Either object is one that those in the group may read. */
export type Told = {
  readonly event: LiveEventName
  readonly happening: Happening
  readonly object: WireFields
  readonly original: WireFields | undefined
}

const was = 1
const is = 2

/** What those in the group are to be told of a change, if anything: by what they could read before and can read now. */
export function judge({ question, rights }: Group, happening: Happening): Told | undefined {
  const matched = matchedBy(question, happening)
  if (matched === 0) return undefined
  const readable = readableBy(rights, happening)
  const both = matched & readable
  if (both === 0) return undefined
  const { before, after } = happening
  const event = nameEvent(both, before !== undefined, after !== undefined)
  if (question.watch && (event === 'create' || event === 'update') && !hasChanged(question.watch, happening)) {
    return undefined
  }
  // P6: what may no longer be read is not told on leaving, what could not be read not on entering.
  const object = (readable & is) !== 0 ? after : before
  const original = event === 'create' || event === 'delete' || (readable & was) === 0 ? undefined : before
  return object && { event, happening, object, original }
}

/** Whether those in the group may read what changed, as it was or as it is. */
export function isReadable({ rights }: Group, happening: Happening): boolean {
  return readableBy(rights, happening) !== 0
}

function nameEvent(both: number, existed: boolean, exists: boolean): LiveEventName {
  if (both === (was | is)) return 'update'
  if (both === is) return existed ? 'enter' : 'create'
  return exists ? 'leave' : 'delete'
}

function matchedBy(question: Question, { matched, before, after }: Happening): number {
  const known = matched.get(question)
  if (known !== undefined) return known
  const found =
    (before && matches(question.condition, before) ? was : 0) | (after && matches(question.condition, after) ? is : 0)
  matched.set(question, found)
  return found
}

function readableBy(rights: Rights, { readable, before, after }: Happening): number {
  const known = readable.get(rights)
  if (known !== undefined) return known
  const { schema, access, decision } = rights
  const may = (object: WireFields | undefined) => object && mayAccess(schema, access, decision, 'read', object)
  const found = (may(before) ? was : 0) | (may(after) ? is : 0)
  readable.set(rights, found)
  return found
}

function hasChanged(fields: readonly string[], { before, after }: Happening): boolean {
  return fields.some((field) => !isSame(fieldOf(before, field), fieldOf(after, field)))
}

function fieldOf(object: WireFields | undefined, field: string): WireValue | undefined {
  return object && Object.hasOwn(object, field) ? object[field] : undefined
}

function isSame(one: WireValue | undefined, other: WireValue | undefined): boolean {
  return one === undefined || other === undefined ? one === other : sameValue(one, other)
}
