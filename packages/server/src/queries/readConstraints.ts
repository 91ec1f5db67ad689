import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Condition, Place } from './Condition.ts'
import { all, any, never, not } from './conditions.ts'
import { fitValue, storedForm } from './fitValue.ts'
import { readGeo } from './geo/readGeo.ts'
import type { Pattern } from './patterns/Pattern.ts'
import { countConditions, type Reading } from './Reading.ts'
import { readComparison } from './readComparison.ts'
import { readInQuery } from './readInQuery.ts'
import { readRegex } from './readRegex.ts'
import { readSelect } from './readSelect.ts'
import { readText } from './readText.ts'
import { isJson } from './resolvePlace.ts'

type Constraints = { [operator: string]: WireValue }

/** What `{ key: value }` asks: equality, operators, or both. Without a place nothing holds but what is missing. */
export function readConstraints(reading: Reading, place: Place | undefined, key: string, value: WireValue): Condition {
  const [constraints, direct] = splitConstraints(value)
  const conditions = Object.keys(constraints).map((operator) =>
    readOperator(reading, place, key, operator, constraints),
  )
  return all(direct === undefined ? conditions : [...conditions, equals(place, direct)])
}

/** Operators apart from what stands beside them, which is compared as a whole. */
export function splitConstraints(value: WireValue): [constraints: Constraints, direct: WireValue | undefined] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [{}, value]
  const entries = Object.entries(value)
  const operators = entries.filter(([name]) => name.startsWith('$'))
  if (operators.length === 0) return [{}, value as WireValue]
  const rest = entries.filter(([name]) => !name.startsWith('$'))
  return [Object.fromEntries(operators), rest.length > 0 ? Object.fromEntries(rest) : undefined]
}

const comparisons = new Map<string, '<' | '<=' | '>' | '>='>([
  ['$lt', '<'],
  ['$lte', '<='],
  ['$gt', '>'],
  ['$gte', '>='],
])

/** Read together with the operator that they belong to. */
const companions = new Map([
  ['$options', '$regex'],
  ['$maxDistance', '$nearSphere'],
  ['$maxDistanceInRadians', '$nearSphere'],
  ['$maxDistanceInMiles', '$nearSphere'],
  ['$maxDistanceInKilometers', '$nearSphere'],
])

function readOperator(
  reading: Reading,
  place: Place | undefined,
  key: string,
  operator: string,
  constraints: Constraints,
): Condition {
  const value = constraints[operator] as WireValue
  const comparison = comparisons.get(operator)
  if (comparison) return readComparison(reading, place, operator, comparison, value)
  switch (operator) {
    case '$eq':
      return equals(place, value)
    case '$ne':
      return not(equals(place, value))
    case '$in':
      return equalsOne(place, readList(operator, value, longestList))
    case '$nin':
      return not(equalsOne(place, readList(operator, value, longestList)))
    case '$exists':
      return readExists(place, value)
    case '$all':
      return readAll(reading, place, value)
    case '$containedBy':
      return readContainedBy(place, readList(operator, value, longestContained))
    case '$regex':
      return matches(place, readRegex(reading, value, constraints.$options))
    case '$text':
      return readTextSearch(reading, place, value)
    case '$inQuery':
      return readInQuery(reading, place, operator, value)
    case '$notInQuery':
      return not(readInQuery(reading, place, operator, value))
    case '$select':
      return readSelect(reading, place, operator, value)
    case '$dontSelect':
      return not(readSelect(reading, place, operator, value))
  }
  const companion = companions.get(operator)
  if (companion && Object.hasOwn(constraints, companion)) return { kind: 'constant', holds: true }
  const geo = readGeo(place, operator, value, constraints)
  if (geo) return geo
  throw new CountersignError('InvalidJson', `bad constraint: ${operator.slice(0, 50)}`, {
    details: `There is no operator of this name for ${key.slice(0, 100)}.`,
  })
}

function equals(place: Place | undefined, value: WireValue): Condition {
  if (value === null) return place ? not({ kind: 'hasValue', place }) : { kind: 'constant', holds: true }
  const fitting = place && fitValue(place, value)
  return place && fitting !== undefined ? { kind: 'equals', place, values: [fitting] } : never
}

function equalsOne(place: Place | undefined, list: WireValue[]): Condition {
  if (!place) return { kind: 'constant', holds: list.includes(null) }
  const values = list.flatMap((value) => {
    const fitting = value === null ? undefined : fitValue(place, value)
    // In a list of its own: what is flattened may be an array itself.
    return fitting === undefined ? [] : [fitting]
  })
  const equal: Condition = values.length === 0 ? never : { kind: 'equals', place, values }
  return list.includes(null) ? any([not({ kind: 'hasValue', place }), equal]) : equal
}

/** More values than these take long to make ready for the database. */
const longestList = 20_000
/** Each of these is compared with each value of each object. */
const longestContained = 10_000

function readList(operator: string, value: WireValue, longest: number): WireValue[] {
  if (!Array.isArray(value)) throw new CountersignError('InvalidJson', `bad ${operator} value`)
  if (value.length > longest) {
    throw new CountersignError('InvalidQuery', `${operator} may have ${longest} values at most.`)
  }
  return value
}

function readExists(place: Place | undefined, value: WireValue): Condition {
  if (typeof value !== 'boolean')
    throw new CountersignError('InvalidJson', 'bad $exists value: should be true or false')
  const exists: Condition = place ? { kind: 'exists', place } : never
  return value ? exists : not(exists)
}

/** Each of the values is there; or each of the beginnings, where all of them are patterns. */
function readAll(reading: Reading, place: Place | undefined, value: WireValue): Condition {
  const list = readList('$all', value, longestList)
  const patterns = list.filter((item) => asRegex(item) !== undefined)
  if (patterns.length > 0 && patterns.length < list.length) {
    throw new CountersignError('InvalidJson', 'All $all values must be of regex type or none')
  }
  if (list.length === 0) return never
  countConditions(reading, list.length - 1)
  return all(
    list.map((item) => {
      const regex = asRegex(item)
      return regex ? matches(place, readRegex(reading, regex.$regex as WireValue, regex.$options)) : equals(place, item)
    }),
  )
}

function asRegex(value: WireValue): Constraints | undefined {
  const isRegex = value !== null && typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, '$regex')
  return isRegex ? (value as Constraints) : undefined
}

function readContainedBy(place: Place | undefined, list: WireValue[]): Condition {
  if (!place || !isJson(place) || (place.type === 'Object' && place.path.length === 0)) return never
  return { kind: 'containedBy', place, values: list.map((value) => storedForm(value, 0)) }
}

function matches(place: Place | undefined, pattern: Pattern): Condition {
  if (!place || (place.type !== 'String' && !isJson(place))) return never
  return { kind: 'pattern', place, pattern }
}

function readTextSearch(reading: Reading, place: Place | undefined, value: WireValue): Condition {
  const search = readText(value)
  countConditions(reading, search.words.length + search.phrases.length + search.without.length)
  return place?.type === 'String' ? { kind: 'text', place, search } : never
}
