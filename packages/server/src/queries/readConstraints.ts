import { CountersignError, isJson, type WireDate, type WireValue } from '@countersign/protocol'
import { inferFieldType } from '../classes/columns.ts'
import { showText } from '../encoding/showText.ts'
import { all, any, type Condition, never, not } from './Condition.ts'
import { readGeo } from './geo.ts'
import { type Place, readName, resolvePlace } from './Place.ts'
import type { Pattern } from './patterns/Pattern.ts'
import { readPattern } from './patterns/readPattern.ts'
import { checkAskable, countConditions, type QueryParser } from './QueryParser.ts'
import { readSubquery } from './readSubquery.ts'
import { readText } from './readText.ts'

const second = 1000

const units = new Map([
  ['second', second],
  ['sec', second],
  ['minute', 60 * second],
  ['min', 60 * second],
  ['hour', 3600 * second],
  ['hr', 3600 * second],
  ['day', 86_400 * second],
  ['week', 7 * 86_400 * second],
  ['wk', 7 * 86_400 * second],
  ['month', 30 * 86_400 * second],
  ['year', 365 * 86_400 * second],
  ['yr', 365 * 86_400 * second],
])

const forms = `use "now", "in 2 days 1 hour" or "3 weeks ago"`

type Constraints = { [operator: string]: WireValue }

/**
 * Reads `{ key: value }`: equality, operators, or both. Without a place only conditions for missing values are true.
 */
export function readConstraints(
  parser: QueryParser,
  place: Place | undefined,
  key: string,
  value: WireValue,
): Condition {
  const [constraints, direct] = splitConstraints(value)
  const conditions = Object.keys(constraints).map((operator) => readOperator(parser, place, key, operator, constraints))
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
  parser: QueryParser,
  place: Place | undefined,
  key: string,
  operator: string,
  constraints: Constraints,
): Condition {
  const value = constraints[operator] as WireValue
  const comparison = comparisons.get(operator)
  if (comparison) return readComparison(parser, place, operator, comparison, value)
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
      return readAll(parser, place, value)
    case '$containedBy':
      return readContainedBy(place, readList(operator, value, longestContained))
    case '$regex':
      return matches(place, readRegex(parser, value, constraints.$options))
    case '$text':
      return readTextSearch(parser, place, value)
    case '$inQuery':
      return readInQuery(parser, place, operator, value)
    case '$notInQuery':
      return not(readInQuery(parser, place, operator, value))
    case '$select':
      return readSelect(parser, place, operator, value)
    case '$dontSelect':
      return not(readSelect(parser, place, operator, value))
  }
  const companion = companions.get(operator)
  if (companion && Object.hasOwn(constraints, companion)) return { kind: 'constant', holds: true }
  const geo = readGeo(place, operator, value, constraints)
  if (geo) return geo
  throw new CountersignError('InvalidJson', `bad constraint: ${operator.slice(0, 50)}`, {
    details: `Unknown operator for ${key.slice(0, 100)}.`,
  })
}

function equals(place: Place | undefined, value: WireValue): Condition {
  if (value === null) return equalsNull(place)
  const fitting = place && fitValue(place, value)
  return place && fitting !== undefined ? { kind: 'equals', place, values: [fitting] } : never
}

/** Nothing is there, or null is, also inside a list. */
function equalsNull(place: Place | undefined): Condition {
  if (!place) return { kind: 'constant', holds: true }
  const absent = not({ kind: 'hasValue', place })
  const isList = place.type === 'Array' && place.path.length === 0
  return isList ? any([absent, { kind: 'equals', place, values: [null] }]) : absent
}

function equalsOne(place: Place | undefined, list: WireValue[]): Condition {
  if (!place) return { kind: 'constant', holds: list.includes(null) }
  const values = list.flatMap((value) => {
    const fitting = value === null ? undefined : fitValue(place, value)
    // Wrapped in a list: the flattened value may be an array itself.
    return fitting === undefined ? [] : [fitting]
  })
  const equal: Condition = values.length === 0 ? never : { kind: 'equals', place, values }
  return list.includes(null) ? any([equalsNull(place), equal]) : equal
}

/** More values than these take long to make ready for the database. */
const longestList = 20_000
/** Each of these is compared with each value of each object. */
const longestContained = 10_000

function readList(operator: string, value: WireValue, longest: number): WireValue[] {
  if (!Array.isArray(value)) throw new CountersignError('InvalidJson', `bad ${operator} value`)
  if (value.length > longest) {
    throw new CountersignError('InvalidQuery', `${operator} can have at most ${longest} values.`)
  }
  return value
}

function readExists(place: Place | undefined, value: WireValue): Condition {
  if (typeof value !== 'boolean' && value !== 0 && value !== 1)
    throw new CountersignError('InvalidJson', 'bad $exists value: should be true or false')
  const exists: Condition = place ? { kind: 'exists', place } : never
  return value ? exists : not(exists)
}

/** Each of the values is there; or each of the beginnings, where all of them are patterns. */
function readAll(parser: QueryParser, place: Place | undefined, value: WireValue): Condition {
  const list = readList('$all', value, longestList)
  const patterns = list.filter((item) => asRegex(item) !== undefined)
  if (patterns.length > 0 && patterns.length < list.length) {
    throw new CountersignError('InvalidJson', 'All $all values must be of regex type or none')
  }
  if (list.length === 0) return never
  countConditions(parser, list.length - 1)
  return all(
    list.map((item) => {
      const regex = asRegex(item)
      return regex ? matches(place, readRegex(parser, regex.$regex as WireValue, regex.$options)) : equals(place, item)
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

function readTextSearch(parser: QueryParser, place: Place | undefined, value: WireValue): Condition {
  const search = readText(value)
  countConditions(parser, search.words.length + search.phrases.length + search.without.length)
  return place?.type === 'String' ? { kind: 'text', place, search } : never
}

/** `{ "$inQuery": { "className": "Post", "where": { … } } }`: points to one of the results. */
function readInQuery(parser: QueryParser, place: Place | undefined, operator: string, value: WireValue): Condition {
  const query = readSubquery(parser, operator, value)
  if (!place || !query) return never
  const isPointer = place.type === 'Pointer' && place.targetClass === query.schema.className
  return isPointer || isJson(place) ? { kind: 'inQuery', place, query } : never
}

/** `{ "$select": { "key": "city", "query": { "className": "Team", "where": { … } } } }`: equals that key of a result. */
function readSelect(parser: QueryParser, place: Place | undefined, operator: string, value: WireValue): Condition {
  const given = value as { [key: string]: WireValue } | null
  const isWhole =
    given !== null && typeof given === 'object' && !Array.isArray(given) && Object.keys(given).length === 2
  if (!isWhole || typeof given.key !== 'string' || given.query === undefined) {
    throw new CountersignError('InvalidQuery', `improper usage of ${operator}`)
  }
  const name = readName(given.key)
  const query = readSubquery(parser, operator, given.query)
  if (!query) return never
  checkAskable(parser, query.schema, name[0])
  const key = resolvePlace(query.schema, name)
  return place && key ? { kind: 'select', place, key, query } : never
}

/** `$regex` with its `$options`. */
function readRegex(parser: QueryParser, source: WireValue, options: WireValue | undefined): Pattern {
  const { allowRegex, regexLength, regexCount } = parser.config.requestComplexity
  if (!allowRegex) throw new CountersignError('OperationForbidden', 'Queries with $regex are disabled on this server.')
  if (typeof source !== 'string') throw new CountersignError('InvalidQuery', '$regex value must be a string')
  if (options !== undefined && (typeof options !== 'string' || !/^[imxsu]*$/.test(options))) {
    throw new CountersignError('InvalidQuery', `Bad $options value for query: ${showText(options, 20)}`)
  }
  const { patterns } = parser
  patterns.count++
  patterns.length += source.length
  // Each is tried on every row that the others leave, and the embedded database serves nobody else during it.
  if (patterns.count > regexCount)
    throw new CountersignError('InvalidQuery', `A query can have at most ${regexCount} patterns.`)
  if (patterns.length > 2 * regexLength)
    throw new CountersignError(
      'InvalidQuery',
      `The patterns of a query can have at most ${2 * regexLength} characters in total.`,
    )
  return readPattern(source, options ?? '', regexLength)
}

/** `$lt` and its like. Only values of one type have an order. */
function readComparison(
  parser: QueryParser,
  place: Place | undefined,
  name: string,
  operator: '<' | '<=' | '>' | '>=',
  given: WireValue,
): Condition {
  const value = readComparable(parser, place, name, given)
  if (!place || value === undefined) return never
  if (isJson(place)) {
    if (place.type === 'Object' && place.path.length === 0) return never
    return { kind: 'compares', place, operator, value }
  }
  if (place.type === 'Date') {
    const date = fitDate(value as WireValue)
    return date ? { kind: 'compares', place, operator, value: date } : never
  }
  const isFitting =
    (place.type === 'String' && typeof value === 'string') ||
    (place.type === 'Number' && typeof value === 'number') ||
    (place.type === 'Boolean' && typeof value === 'boolean')
  return isFitting ? { kind: 'compares', place, operator, value } : never
}

function readComparable(
  parser: QueryParser,
  place: Place | undefined,
  name: string,
  value: WireValue,
): string | number | boolean | WireDate | undefined {
  if (value === null) return undefined
  if (typeof value === 'number') return Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE))
  if (typeof value !== 'object') return value
  const parts = value as { [key: string]: WireValue }
  if (Object.hasOwn(parts, '$relativeTime')) {
    if (place && place.type !== 'Date') {
      throw new CountersignError('InvalidJson', '$relativeTime can only be used with Date field')
    }
    return readRelativeTime(parts.$relativeTime, parser.now)
  }
  const date = fitDate(value)
  if (date) return date
  throw new CountersignError('InvalidJson', `bad ${name} value: only numbers, strings and dates can be compared`)
}

/** `2 days ago`, `in 1 hour 30 minutes`, `now`. */
function readRelativeTime(text: unknown, now: Date): WireDate {
  const words = typeof text === 'string' && text.length < 200 ? text.toLowerCase().trim().split(/\s+/) : refuse()
  if (words.length === 1 && words[0] === 'now') return { __type: 'Date', iso: now.toISOString() }
  const ahead = words[0] === 'in'
  const ago = words.at(-1) === 'ago'
  if (ahead === ago) refuse()
  const parts = ahead ? words.slice(1) : words.slice(0, -1)
  if (parts.length === 0 || parts.length % 2 !== 0) refuse()
  let sum = 0
  for (let index = 0; index < parts.length; index += 2) {
    const unit = units.get((parts[index + 1] ?? '').replace(/s$/, '')) ?? refuse()
    if (!/^\d{1,6}$/.test(parts[index] ?? '')) refuse()
    sum += Number(parts[index]) * unit
  }
  const time = now.getTime() + (ahead ? sum : -sum)
  if (Math.abs(time) > 8e15) refuse()
  return { __type: 'Date', iso: new Date(time).toISOString() }
}

function refuse(): never {
  throw new CountersignError('InvalidJson', `bad $relativeTime value: ${forms}.`)
}

type Typed = { [key: string]: WireValue }

const deepestValue = 100

/**
 * Value as stored at the place, for equality; `undefined` if nothing there can equal it. Throws 111 if it is not a
 * value.
 */
function fitValue(place: Place, value: WireValue): WireValue | undefined {
  const type = inferFieldType(value)
  // JSON has numbers that are larger than any that is kept.
  if (!type || (typeof value === 'number' && !Number.isFinite(value))) return undefined
  if (isJson(place)) {
    // A whole Object field holds no other types; a place inside it may.
    if (place.path.length === 0 && place.type === 'Object' && type.type !== 'Object') return undefined
    return storedForm(value, 0)
  }
  if (place.type === 'Date') return fitDate(value)
  // The id alone, which some clients write in place of the pointer.
  if (place.type === 'Pointer' && typeof value === 'string')
    return { __type: 'Pointer', className: String(place.targetClass), objectId: value }
  if (type.type !== place.type) return undefined
  const typed = value as Typed
  switch (place.type) {
    case 'Pointer':
      return typed.className === place.targetClass ? pointerOf(typed) : undefined
    case 'File':
      return { __type: 'File', name: typed.name as string }
    case 'Bytes':
      return { __type: 'Bytes', base64: Buffer.from(typed.base64 as string, 'base64').toString('base64') }
    case 'Polygon':
      return { __type: 'Polygon', coordinates: closed(typed.coordinates as [number, number][]) }
    case 'GeoPoint':
      return { __type: 'GeoPoint', latitude: typed.latitude as number, longitude: typed.longitude as number }
    default:
      return value
  }
}

/** A date by its type, or as the bare text that `createdAt` is on the wire. */
function fitDate(value: WireValue): WireDate | undefined {
  const iso =
    typeof value === 'string' ? value : (value as Typed | null)?.__type === 'Date' ? (value as Typed).iso : undefined
  if (typeof iso !== 'string' || !/^[+-]?\d{4,6}-\d\d/.test(iso)) return undefined
  const time = Date.parse(iso)
  return Number.isNaN(time) ? undefined : { __type: 'Date', iso: new Date(time).toISOString() }
}

/** As JSON holds it: whole objects are kept as pointers. */
function storedForm(value: WireValue, depth: number): WireValue {
  if (value === null || typeof value !== 'object') return value
  if (depth > deepestValue)
    throw new CountersignError('InvalidJson', `Values can be nested at most ${deepestValue} levels deep.`)
  if (Array.isArray(value)) return value.map((item) => storedForm(item, depth + 1))
  const typed = value as Typed
  if (typed.__type === 'Object') return pointerOf(typed)
  return Object.fromEntries(Object.entries(typed).map(([key, inner]) => [key, storedForm(inner, depth + 1)]))
}

function pointerOf(typed: Typed): WireValue {
  return { __type: 'Pointer', className: typed.className as string, objectId: typed.objectId as string }
}

function closed(points: [number, number][]): [number, number][] {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || (first[0] === last[0] && first[1] === last[1])) return points
  return [...points, first]
}
