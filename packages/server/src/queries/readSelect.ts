import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Condition, Place } from './Condition.ts'
import { never } from './conditions.ts'
import { checkAskable, type Reading } from './Reading.ts'
import { readSubquery } from './readSubquery.ts'
import { readName, resolvePlace } from './resolvePlace.ts'

/** `{ "$select": { "key": "city", "query": { "className": "Team", "where": { … } } } }`: equals that key of a result. */
export function readSelect(reading: Reading, place: Place | undefined, operator: string, value: WireValue): Condition {
  const given = value as { [key: string]: WireValue } | null
  const isWhole =
    given !== null && typeof given === 'object' && !Array.isArray(given) && Object.keys(given).length === 2
  if (!isWhole || typeof given.key !== 'string' || given.query === undefined) {
    throw new CountersignError('InvalidQuery', `improper usage of ${operator}`)
  }
  const name = readName(given.key)
  const query = readSubquery(reading, operator, given.query)
  if (!query) return never
  checkAskable(reading, query.schema, name[0])
  const key = resolvePlace(query.schema, name)
  return place && key ? { kind: 'select', place, key, query } : never
}
