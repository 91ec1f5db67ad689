import { compareTexts, isJson, timeOf, type WireValue } from '@countersign/protocol'
import type { Condition } from '../../queries/Condition.ts'
import { type Box, boxesAround, boxesBetween } from '../../queries/geo.ts'
import type { Place } from '../../queries/Place.ts'
import type { CodeRange, Pattern, PatternNode } from '../../queries/patterns/Pattern.ts'
import { coverBoxes, nameCell } from './cells.ts'
import type { Interval } from './createIntervals.ts'

/** Values with one order: times by number, dates in JSON by their text. */
export type Domain = 'number' | 'boolean' | 'time' | 'text' | 'iso'

export type Point = number | string

/**
 * A value, a beginning or a range that a matching document has at the place. Ends of ranges count as inside. Beginnings
 * of points are cells; folded ones are in lower case.
 */
export type IndexEntry =
  | { readonly kind: 'value'; readonly place: Place; readonly key: string }
  | { readonly kind: 'prefix'; readonly place: Place; readonly text: string; readonly isFolded: boolean }
  | ({ readonly kind: 'range'; readonly place: Place; readonly domain: Domain } & Interval<Point>)

/** Number of queries that already stand at an entry. */
type CountAt = (entry: IndexEntry) => number

/** A query with more alternatives takes more memory in the index than it saves. */
const mostEntries = 100

/** Longer beginnings are cut: each length in use costs one lookup for every changed text. */
const longestPrefix = 64

/**
 * Entries of which every document that the condition matches has at least one. `undefined` if there are none such: the
 * query is evaluated for every change. Of the parts of a conjunction the most selective one is chosen.
 */
export function chooseEntries(condition: Condition, countAt: CountAt): readonly IndexEntry[] | undefined {
  const entries = entriesOf(condition, countAt)
  return entries && entries.length <= mostEntries ? entries : undefined
}

function entriesOf(condition: Condition, countAt: CountAt): readonly IndexEntry[] | undefined {
  switch (condition.kind) {
    case 'constant':
      return condition.holds ? undefined : []
    case 'equals':
      return valuesOf(condition)
    case 'compares':
      return rangeOf([condition])
    case 'pattern':
      return prefixesOf(condition)
    case 'exists':
    case 'hasValue':
      return [presenceOf(condition.place, present)]
    case 'not': {
      const { of } = condition
      const isOfField = (of.kind === 'exists' || of.kind === 'hasValue') && of.place.path.length === 0
      return isOfField ? [presenceOf(of.place, absent)] : undefined
    }
    case 'near':
    case 'box':
    case 'polygon':
      return cellsOf(condition)
    case 'all':
      return bestOf(flatten(condition), countAt)
    case 'any': {
      const entries: IndexEntry[] = []
      for (const part of condition.of) {
        const found = entriesOf(part, countAt)
        if (!found || entries.length + found.length > mostEntries) return undefined
        entries.push(...found)
      }
      return entries
    }
    default:
      return undefined
  }
}

/** Keys of fields with and without a value. No value has them: `keyOf` begins with a letter. */
export const present = '+'
export const absent = '-'

const presenceOf = (place: Place, key: string): IndexEntry => ({ kind: 'value', place: { ...place, path: [] }, key })

type Located = Extract<Condition, { kind: 'near' | 'box' | 'polygon' }>

function cellsOf(condition: Located): readonly IndexEntry[] {
  const { place } = condition
  const boxes = boxesOf(condition)
  if (!boxes) return [presenceOf(place, present)]
  return coverBoxes(boxes).map((text) => ({ kind: 'prefix', place, text, isFolded: false }))
}

function boxesOf(condition: Located): Box[] | undefined {
  if (condition.kind === 'box') return boxesBetween(condition.southWest, condition.northEast)
  if (condition.kind === 'near') {
    const { point, maxDistance } = condition
    return maxDistance === undefined ? undefined : boxesAround(point, maxDistance)
  }
  const latitudes = condition.points.map(({ latitude }) => latitude)
  const longitudes = condition.points.map(({ longitude }) => longitude)
  // More than the tolerance of edges.
  const margin = 1e-5
  const [south, north] = [Math.min(...latitudes) - margin, Math.max(...latitudes) + margin]
  return [{ south, north, west: Math.min(...longitudes) - margin, east: Math.max(...longitudes) + margin }]
}

function flatten(condition: Condition): Condition[] {
  return condition.kind === 'all' ? condition.of.flatMap(flatten) : [condition]
}

function bestOf(parts: readonly Condition[], countAt: CountAt): readonly IndexEntry[] | undefined {
  const compared = new Map<string, Compares[]>()
  const choices: (readonly IndexEntry[] | undefined)[] = []
  for (const part of parts) {
    // Elements of a list meet the two bounds of a range separately, so only bounds of one value are joined.
    if (part.kind !== 'compares' || isJson(part.place)) choices.push(entriesOf(part, countAt))
    else compared.set(part.place.field, [...(compared.get(part.place.field) ?? []), part])
  }
  for (const together of compared.values()) choices.push(rangeOf(together))
  let best: readonly IndexEntry[] | undefined
  let least = Number.POSITIVE_INFINITY
  for (const entries of choices) {
    if (!entries || entries.length > mostEntries) continue
    const cost = entries.reduce((sum, entry) => sum + rank(entry) + countAt(entry), 0)
    if (cost < least) [best, least] = [entries, cost]
  }
  return best
}

const ranks = new Map([
  ['Pointer', 1],
  ['String', 2],
  ['Date', 2],
  ['Number', 3],
  ['Boolean', 300],
])

/** Queries that a change leads to by such an entry, by experience: equality tells most, an open range least. */
function rank(entry: IndexEntry): number {
  if (entry.kind === 'value') {
    if (entry.key === present || entry.key === absent) return 400
    return entry.place.field === 'objectId' ? 0 : (ranks.get(entry.place.type) ?? 4)
  }
  if (entry.kind === 'prefix') return 10 + 100 / Math.max(entry.text.length, 0.25)
  return entry.low === undefined || entry.high === undefined ? 300 : 20
}

function valuesOf({ place, values }: Extract<Condition, { kind: 'equals' }>): readonly IndexEntry[] | undefined {
  // An Object field is compared as a whole.
  if (values.length > mostEntries || (place.type === 'Object' && place.path.length === 0)) return undefined
  const keys = new Set<string>()
  for (const value of values) {
    const key = keyOf(place, value)
    if (key === undefined) return undefined
    keys.add(key)
  }
  return [...keys].map((key) => ({ kind: 'value', place, key }))
}

/** The same for equal values at a place. Pointers of a field lead to one class, so their id is enough. */
export function keyOf(place: Place, value: WireValue): string | undefined {
  if (!isJson(place)) {
    if (place.type === 'Date') return `d${timeOf(value)}`
    if (!ranks.has(place.type)) return undefined
  }
  switch (typeof value) {
    case 'string':
      return `s${value}`
    case 'number':
      // Zero has a sign here, and none in the database.
      return `n${value === 0 ? 0 : value}`
    case 'boolean':
      return `b${value}`
    default:
      if (value === null || Array.isArray(value)) return undefined
      return value.__type === 'Pointer' && typeof value.objectId === 'string' ? `p${value.objectId}` : undefined
  }
}

type Compares = Extract<Condition, { kind: 'compares' }>

/** Range of comparisons at one place; no entry if no value can meet all of them. */
function rangeOf(comparisons: readonly Compares[]): readonly IndexEntry[] | undefined {
  const [first] = comparisons
  if (!first) return undefined
  const domain = domainOf(first)
  let low: Point | undefined
  let high: Point | undefined
  for (const comparison of comparisons) {
    const { place, operator, value } = comparison
    const point = domainOf(comparison) === domain ? pointOf(place, domain, value) : undefined
    if (point === undefined) return undefined
    const isLow = operator === '>' || operator === '>='
    if (isLow) low = low === undefined || comparePoints(point, low) > 0 ? point : low
    else high = high === undefined || comparePoints(point, high) < 0 ? point : high
  }
  if (low !== undefined && high !== undefined && comparePoints(low, high) > 0) return []
  return [{ kind: 'range', place: first.place, domain, low, high }]
}

function domainOf({ place, value }: Compares): Domain {
  if (typeof value === 'object') return isJson(place) ? 'iso' : 'time'
  if (typeof value === 'string') return 'text'
  return typeof value === 'boolean' ? 'boolean' : 'number'
}

/** Position of a value in the order of the domain. `undefined` if it has none there. Must agree with `matches`. */
export function pointOf(place: Place, domain: Domain, value: WireValue): Point | undefined {
  if (domain === 'text') return typeof value === 'string' ? value : undefined
  if (domain === 'iso') {
    const typed = value as { [key: string]: WireValue } | null
    const isDate = typed !== null && typeof typed === 'object' && typed.__type === 'Date'
    return isDate && typeof typed.iso === 'string' ? typed.iso : undefined
  }
  if (domain !== 'time' && isJson(place) && typeof value !== domain) return undefined
  const number = domain === 'time' ? timeOf(value) : Number(value)
  return Number.isNaN(number) ? undefined : number
}

/** Order of two points of one domain. */
export function comparePoints(one: Point, other: Point): number {
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other)
  return one < other ? -1 : one > other ? 1 : 0
}

function prefixesOf({ place, pattern }: Extract<Condition, { kind: 'pattern' }>): readonly IndexEntry[] | undefined {
  const { plain } = pattern
  if (plain?.at === 'whole') return [{ kind: 'value', place, key: keyOf(place, plain.text) as string }]
  const beginnings = beginningsOf(pattern)
  if (!beginnings) return undefined
  const entries = new Map<string, IndexEntry>()
  for (const { text: whole, isFolded } of beginnings) {
    const text = (isFolded ? fold(whole) : whole).slice(0, longestPrefix)
    entries.set(`${isFolded} ${text}`, { kind: 'prefix', place, text, isFolded })
  }
  return [...entries.values()]
}

/** ASCII only: other letters have several forms, and some change the length of a text. */
const fold = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Text of a value that beginnings are looked up in. */
export function textOf(place: Place, value: WireValue, isFolded: boolean): string | undefined {
  if (place.type === 'GeoPoint' && !isJson(place)) return nameCell(value)
  if (typeof value !== 'string') return undefined
  return isFolded ? fold(value.slice(0, longestPrefix)) : value
}

type Beginning = { readonly text: string; readonly isFolded: boolean }

/** Texts, one of which every match begins with; `undefined` if it may begin in another way. */
function beginningsOf({ plain, tree }: Pattern): Beginning[] | undefined {
  if (plain) return plain.at === 'start' && plain.text !== '' ? [{ text: plain.text, isFolded: false }] : undefined
  const choices = tree.kind === 'choice' ? tree.of : [tree]
  const beginnings = choices.map(beginningOf)
  return beginnings.some(({ text }) => text === '') ? undefined : beginnings
}

function beginningOf(node: PatternNode): Beginning {
  const [first, ...rest] = listNodes(node)
  let text = ''
  let isFolded = false
  if (first?.kind !== 'start' || first.lines) return { text, isFolded }
  for (const next of rest) {
    const letter = next.kind === 'set' ? letterOf(next.ranges) : undefined
    if (next.kind === 'character') text += String.fromCodePoint(next.code)
    else if (letter === undefined) break
    else {
      text += letter
      isFolded = true
    }
  }
  return { text, isFolded }
}

/** The lower case of a set that is one ASCII letter in both cases. */
function letterOf(ranges: readonly CodeRange[]): string | undefined {
  const [upper, lower, ...others] = ranges.flatMap(([from, to]) => (from === to ? [from] : [0, 0, 0]))
  if (upper === undefined || lower === undefined || others.length > 0) return undefined
  const letter = String.fromCharCode(lower)
  return /^[a-z]$/.test(letter) && letter.toUpperCase().charCodeAt(0) === upper ? letter : undefined
}

function listNodes(node: PatternNode): readonly PatternNode[] {
  return node.kind === 'sequence' ? node.of.flatMap(listNodes) : [node]
}
