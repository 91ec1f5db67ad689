import { CountersignError } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { type Condition, findPart } from './Condition.ts'
import { readName, resolvePlace } from './Place.ts'
import { checkAskable, type QueryScope } from './QueryParser.ts'
import type { Sort } from './Sort.ts'

const aliases = new Map([
  ['_created_at', 'createdAt'],
  ['_updated_at', 'updatedAt'],
  ['_id', 'objectId'],
])

const mostSorts = 10

/** Order of a query: as given; else by distance for `$near`. */
export function readOrder(
  scope: QueryScope,
  schema: ClassSchema,
  order: readonly string[],
  condition: Condition,
): Sort[] {
  if (order.length > mostSorts) {
    throw new CountersignError('InvalidQuery', `A query can be sorted by at most ${mostSorts} fields.`)
  }
  const sorts = order.flatMap((entry) => readSort(scope, schema, entry, condition) ?? [])
  if (order.length > 0) return sorts
  const near = findPart(condition, 'near')
  return near?.kind === 'near' && near.sorted ? [{ by: 'distance', near, descending: false }] : []
}

function readSort(scope: QueryScope, schema: ClassSchema, entry: string, condition: Condition): Sort | undefined {
  const descending = entry.startsWith('-')
  const written = entry.replace(/^[+-]/, '')
  if (written === '$score') {
    const text = findPart(condition, 'text')
    // The best first, as clients that ask for the score expect it.
    return text?.kind === 'text' ? { by: 'score', text, descending: !descending } : undefined
  }
  const name = readName(aliases.get(written) ?? written, 'field name')
  checkAskable(scope, schema, name[0])
  const place = resolvePlace(schema, name)
  if (place?.type === 'GeoPoint' || place?.type === 'Polygon') {
    throw new CountersignError('InvalidQuery', `A query cannot be sorted by ${written}; use $nearSphere instead.`)
  }
  return place && { by: 'place', place, descending }
}
