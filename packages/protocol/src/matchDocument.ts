import { compareTexts } from './compareTexts.ts'
import type { WireDate, WireFields, WireValue } from './values.ts'

/**
 * Location of a condition's value: a field with a column (`objectId`, `createdAt` and `updatedAt` included), and for
 * Object and Array fields the keys of a dotted name. A path without numbers looks into arrays, one level at each key. A
 * path with a number is exact: the number is an index of an array or a key.
 *
 * Its candidates are the values found there: none, one or several. The elements of an array count as candidates besides
 * the array itself.
 */
export type DocumentPlace<Type extends string = string> = {
  readonly field: string
  readonly type: Type
  /** The class that a Pointer field leads to. */
  readonly targetClass?: string
  readonly path: readonly string[]
}

/** Parsed conditions that a document alone decides, on a server and on a device. */
export type DocumentCondition =
  /** Constant result, such as for a number in a text field. */
  | { readonly kind: 'constant'; readonly holds: boolean }
  | { readonly kind: 'all'; readonly of: readonly DocumentCondition[] }
  | { readonly kind: 'any'; readonly of: readonly DocumentCondition[] }
  /** True where the other is not: also where the field is missing. */
  | { readonly kind: 'not'; readonly of: DocumentCondition }
  /** A candidate equals one of the values; none of them is null. Files are compared by name. */
  | { readonly kind: 'equals'; readonly place: DocumentPlace; readonly values: readonly WireValue[] }
  /** A candidate stands so to the value; only values of one type compare. Texts by their code points. */
  | {
      readonly kind: 'compares'
      readonly place: DocumentPlace
      readonly operator: '<' | '<=' | '>' | '>='
      readonly value: string | number | boolean | WireDate
    }
  /** True for any value, even null. */
  | { readonly kind: 'exists'; readonly place: DocumentPlace }
  /** True for any value except null. */
  | { readonly kind: 'hasValue'; readonly place: DocumentPlace }
  /** An array, each element of which equals one of the values. */
  | { readonly kind: 'containedBy'; readonly place: DocumentPlace; readonly values: readonly WireValue[] }

type Of<Kind extends DocumentCondition['kind']> = Extract<DocumentCondition, { kind: Kind }>
type Typed = { [key: string]: WireValue }

/**
 * Evaluates conditions on a document, with the semantics of the server's SQL. Conditions of other kinds go to
 * `matchOther`.
 */
export function matchDocument<Any extends { readonly kind: string }>(
  given: Any,
  object: WireFields,
  matchOther: (condition: Any, object: WireFields) => boolean,
): boolean {
  const condition = given as unknown as DocumentCondition
  const match = (part: DocumentCondition) => matchDocument(part as unknown as Any, object, matchOther)
  switch (condition.kind) {
    case 'constant':
      return condition.holds
    case 'all':
      return condition.of.every(match)
    case 'any':
      return condition.of.some(match)
    case 'not':
      return !match(condition.of)
    case 'equals':
      return equals(condition, object)
    case 'compares':
      return compares(condition, object)
    case 'exists':
      if (condition.place.path.length === 0) return Object.hasOwn(object, condition.place.field)
      return findCandidates(condition.place, object, 'whole').length > 0
    case 'hasValue':
      if (condition.place.path.length === 0) return findValue(condition.place, object) !== undefined
      return findCandidates(condition.place, object, 'whole').some((value) => value !== null)
    case 'containedBy': {
      const isAmong = finderOf(condition.values)
      return findCandidates(condition.place, object, 'whole').some((list) => Array.isArray(list) && list.every(isAmong))
    }
    default:
      return matchOther(given, object)
  }
}

/** Returns true inside JSON, where each value has a type of its own. */
export function isJson({ type, path }: DocumentPlace): boolean {
  return path.length > 0 || type === 'Array' || type === 'Object'
}

/** Up to this many values are compared separately; more are compared together. */
export const fewValues = 8

/** The value of a whole field; `undefined` where it is missing or null. */
export function findValue({ field }: DocumentPlace, object: WireFields): WireValue | undefined {
  return Object.hasOwn(object, field) ? (object[field] ?? undefined) : undefined
}

/** Values of a document that `equals`, `compares` and `pattern` look at: one of a column, or all in JSON. */
export function valuesAt(place: DocumentPlace, object: WireFields): WireValue[] {
  if (isJson(place)) return findCandidates(place, object, 'elements')
  const value = findValue(place, object)
  return value === undefined ? [] : [value]
}

function equals({ place, values }: Of<'equals'>, object: WireFields): boolean {
  if (!isJson(place)) {
    const value = findValue(place, object)
    return value !== undefined && values.some((wanted) => equalsPlainly(place, wanted, value))
  }
  const isWhole = place.type === 'Object' && place.path.length === 0
  const found = isWhole ? [] : findCandidates(place, object, 'elements')
  const wholes = isWhole || values.some(Array.isArray) ? findCandidates(place, object, 'whole') : []
  const isAmong = finderOf(values)
  return found.some(isAmong) || wholes.some(isAmong)
}

type Finder = (value: WireValue) => boolean

const findersByValues = new WeakMap<readonly WireValue[], Finder>()

/** Finds a value among others. Of many, by a set: to compare each with each of a long list would take minutes. */
function finderOf(values: readonly WireValue[]): Finder {
  if (values.length <= fewValues) return (value) => values.some((wanted) => sameValue(wanted, value))
  const known = findersByValues.get(values)
  if (known) return known
  const isPlain = (value: WireValue) => value === null || typeof value !== 'object'
  const plain = new Set(values.filter(isPlain))
  const keys = new Set(values.filter((value) => !isPlain(value)).map(valueKey))
  const made: Finder = (value) => (isPlain(value) ? plain.has(value) : keys.size > 0 && keys.has(valueKey(value)))
  findersByValues.set(values, made)
  return made
}

function equalsPlainly(place: DocumentPlace, wanted: WireValue, value: WireValue): boolean {
  if (place.type === 'Date') return timeOf(wanted) === timeOf(value)
  if (place.type === 'File') return (wanted as Typed).name === (value as Typed).name
  if (place.type === 'Pointer') return (wanted as Typed).objectId === (value as Typed).objectId
  return sameValue(wanted, value)
}

/** `createdAt` and `updatedAt` are bare on the wire. */
export function timeOf(date: WireValue): number {
  return Date.parse(typeof date === 'string' ? date : ((date as Typed).iso as string))
}

function compares({ place, operator, value }: Of<'compares'>, object: WireFields): boolean {
  return valuesAt(place, object).some((candidate) => {
    const order = isJson(place) ? orderInJson(candidate, value) : orderOf(candidate, value)
    if (order === undefined) return false
    if (operator === '<') return order < 0
    if (operator === '<=') return order <= 0
    return operator === '>' ? order > 0 : order >= 0
  })
}

function orderOf(candidate: WireValue, value: Of<'compares'>['value']): number {
  if (typeof value === 'object') return timeOf(candidate) - timeOf(value)
  return typeof value === 'string' ? compareTexts(candidate as string, value) : Number(candidate) - Number(value)
}

/** Only values of one type have an order; dates inside JSON by their text. */
function orderInJson(candidate: WireValue, value: Of<'compares'>['value']): number | undefined {
  if (typeof value === 'object') {
    const typed = candidate as Typed | null
    const isDate = typed !== null && typeof typed === 'object' && typed.__type === 'Date'
    return isDate && typeof typed.iso === 'string' ? compareTexts(typed.iso, value.iso) : undefined
  }
  if (typeof candidate !== typeof value) return undefined
  return orderOf(candidate, value)
}

type Parts = { [key: string]: WireValue }

/** Values of a document at a place in JSON. Must agree with `writeSome`. */
function findCandidates(place: DocumentPlace, object: WireFields, which: 'whole' | 'elements'): WireValue[] {
  const base = Object.hasOwn(object, place.field) ? object[place.field] : undefined
  if (base === undefined || base === null) return []
  const isExact = place.path.some((key) => /^\d+$/.test(key))
  const found = isExact ? followExactly(base, place.path) : place.path.reduce(lookThrough, [base])
  return which === 'whole' ? found : elementsOf(found)
}

/** The values, and in the place of each that is an array its elements. Most often that is one array, as it is. */
function elementsOf(values: WireValue[]): WireValue[] {
  const [only] = values
  if (values.length === 1 && Array.isArray(only)) return only
  return values.some(Array.isArray) ? (values.flat() as WireValue[]) : values
}

/** A key of each value, and of the elements of those that are arrays. */
function lookThrough(values: WireValue[], key: string): WireValue[] {
  return values
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .flatMap((value) => {
      const inner = findKey(value, key)
      return inner === undefined ? [] : [inner]
    })
}

function followExactly(base: WireValue, path: readonly string[]): WireValue[] {
  let value: WireValue | undefined = base
  for (const key of path) {
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined
    else value = findKey(value, key)
    if (value === undefined) return []
  }
  return [value]
}

function findKey(value: WireValue | undefined, key: string): WireValue | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  return Object.hasOwn(value, key) ? (value as Parts)[key] : undefined
}

/** Equal in every part, whatever the order of the keys. */
export function sameValue(one: WireValue, other: WireValue): boolean {
  if (one === other) return true
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false
  const keys = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameValue(Reflect.get(one, key), Reflect.get(other, key)))
  )
}

/**
 * The same text for equal values, whatever the order of their keys. A list may be as long as a request, so what is
 * equal in it is found by this, not by comparing each with each.
 */
export function valueKey(value: WireValue): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: WireValue): WireValue {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value) as [string, WireValue][]
  entries.sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
