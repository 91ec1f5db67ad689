import { compareTexts, type WireValue } from '@countersign/protocol'
import type { Condition } from '../../queries/Condition.ts'
import { timeOf } from '../../queries/matches.ts'
import { isJson, type Place } from '../../queries/Place.ts'
import type { Pattern, PatternNode } from '../../queries/patterns/Pattern.ts'
import type { Interval } from './createIntervals.ts'

/** Values with one order: times by number, dates in JSON by their text. */
export type Domain = 'number' | 'boolean' | 'time' | 'text' | 'iso'

export type Point = number | string

/** A value, a beginning or a range that a matching document has at the place. Ends of ranges count as inside. */
export type IndexEntry =
  | { readonly kind: 'value'; readonly place: Place; readonly key: string }
  | { readonly kind: 'prefix'; readonly place: Place; readonly text: string }
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
  if (entry.kind === 'value') return entry.place.field === 'objectId' ? 0 : (ranks.get(entry.place.type) ?? 4)
  if (entry.kind === 'prefix') return 10 + 100 / entry.text.length
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
  const texts = beginningsOf(pattern)?.map((text) => text.slice(0, longestPrefix))
  return texts && [...new Set(texts)].map((text) => ({ kind: 'prefix', place, text }))
}

/** Texts, one of which every match begins with; `undefined` if it may begin in another way. */
function beginningsOf({ plain, tree }: Pattern): string[] | undefined {
  if (plain) return plain.at === 'start' && plain.text !== '' ? [plain.text] : undefined
  const choices = tree.kind === 'choice' ? tree.of : [tree]
  const texts = choices.map(beginningOf)
  return texts.includes('') ? undefined : texts
}

function beginningOf(node: PatternNode): string {
  const [first, ...rest] = listNodes(node)
  if (first?.kind !== 'start' || first.lines) return ''
  let text = ''
  for (const next of rest) {
    if (next.kind !== 'character') break
    text += String.fromCodePoint(next.code)
  }
  return text
}

function listNodes(node: PatternNode): readonly PatternNode[] {
  return node.kind === 'sequence' ? node.of.flatMap(listNodes) : [node]
}
