import { CountersignError } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Asking } from './Asking.ts'
import type { Condition, Place } from './Condition.ts'
import { checkAskable } from './Reading.ts'
import { readName, resolvePlace } from './resolvePlace.ts'

/** One part of an order. Absent values come first, and last in the other direction. */
export type Sort = { readonly descending: boolean } & (
  | { readonly by: 'place'; readonly place: Place }
  | { readonly by: 'distance'; readonly near: Extract<Condition, { kind: 'near' }> }
  | { readonly by: 'score'; readonly text: Extract<Condition, { kind: 'text' }> }
)

const aliases = new Map([
  ['_created_at', 'createdAt'],
  ['_updated_at', 'updatedAt'],
  ['_id', 'objectId'],
])
const mostSorts = 10

/** The order of a query: as asked; else by distance, where it asks for what is near. */
export function readOrder(asking: Asking, schema: ClassSchema, order: readonly string[], condition: Condition): Sort[] {
  if (order.length > mostSorts) {
    throw new CountersignError('InvalidQuery', `A query may be ordered by ${mostSorts} fields at most.`)
  }
  const sorts = order.flatMap((entry) => readSort(asking, schema, entry, condition) ?? [])
  if (order.length > 0) return sorts
  const near = findPart(condition, 'near')
  return near?.kind === 'near' && near.sorted ? [{ by: 'distance', near, descending: false }] : []
}

function readSort(asking: Asking, schema: ClassSchema, entry: string, condition: Condition): Sort | undefined {
  const descending = entry.startsWith('-')
  const written = entry.replace(/^[+-]/, '')
  if (written === '$score') {
    const text = findPart(condition, 'text')
    // The best first, as clients that ask for the score expect it.
    return text?.kind === 'text' ? { by: 'score', text, descending: !descending } : undefined
  }
  const name = readName(aliases.get(written) ?? written, 'field name')
  checkAskable(asking, schema, name[0])
  const place = resolvePlace(schema, name)
  if (place?.type === 'GeoPoint' || place?.type === 'Polygon') {
    throw new CountersignError('InvalidQuery', `A query cannot be ordered by ${written}; ask for $nearSphere instead.`)
  }
  return place && { by: 'place', place, descending }
}

/** What is asked of every object, not only of some alternatives. */
export function findPart(condition: Condition, kind: 'near' | 'text'): Condition | undefined {
  if (condition.kind === kind) return condition
  return condition.kind === 'all' ? condition.of.find((part) => part.kind === kind) : undefined
}
