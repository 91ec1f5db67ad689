import type { WireValue } from '@countersign/protocol'
import type { Condition, Place } from './Condition.ts'
import { never } from './conditions.ts'
import type { Reading } from './Reading.ts'
import { readSubquery } from './readSubquery.ts'
import { isJson } from './resolvePlace.ts'

/** `{ "$inQuery": { "className": "Post", "where": { … } } }`: points to one of the results. */
export function readInQuery(reading: Reading, place: Place | undefined, operator: string, value: WireValue): Condition {
  const query = readSubquery(reading, operator, value)
  if (!place || !query) return never
  const isPointer = place.type === 'Pointer' && place.targetClass === query.schema.className
  return isPointer || isJson(place) ? { kind: 'inQuery', place, query } : never
}
