import { compareTexts, type WireFields, type WireGeoPoint, type WireValue } from '@countersign/protocol'
import { sameValue } from '../classes/sameValue.ts'
import { valueKey } from '../classes/valueKey.ts'
import type { Condition } from './Condition.ts'
import { type Box, boxesAround, boxesBetween } from './geo.ts'
import { isJson, type Place } from './Place.ts'
import { matchesPattern } from './patterns/matchesPattern.ts'
import { fewValues } from './workOf.ts'

/** As PostgreSQL's own. */
const tolerance = 1e-6

type Of<Kind extends Condition['kind']> = Extract<Condition, { kind: Kind }>
type Typed = { [key: string]: WireValue }

/**
 * Evaluates conditions on a document in memory. Must agree with `writeWhere`. Never called for conditions that
 * `isMatchable` rejects.
 */
export function matches(condition: Condition, object: WireFields): boolean {
  switch (condition.kind) {
    case 'constant':
      return condition.holds
    case 'all':
      return condition.of.every((part) => matches(part, object))
    case 'any':
      return condition.of.some((part) => matches(part, object))
    case 'not':
      return !matches(condition.of, object)
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
    case 'pattern':
      return valuesAt(condition.place, object).some(
        (value) => typeof value === 'string' && matchesPattern(condition.pattern, value),
      )
    case 'near':
    case 'box':
    case 'polygon':
    case 'surrounds':
      return liesSo(condition, object)
    default:
      throw new Error(`A condition of the kind ${condition.kind} cannot be decided in memory.`)
  }
}

/** The value of a whole field; `undefined` where it is missing or null. */
function findValue({ field }: Place, object: WireFields): WireValue | undefined {
  return Object.hasOwn(object, field) ? (object[field] ?? undefined) : undefined
}

/** Values of a document that `equals`, `compares` and `pattern` look at: one of a column, or all in JSON. */
export function valuesAt(place: Place, object: WireFields): WireValue[] {
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

function equalsPlainly(place: Place, wanted: WireValue, value: WireValue): boolean {
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

function liesSo(condition: Of<'near'> | Of<'box'> | Of<'polygon'> | Of<'surrounds'>, object: WireFields): boolean {
  const value = findValue(condition.place, object)
  if (value === undefined) return false
  if (condition.kind === 'surrounds') {
    const { latitude, longitude } = condition.point
    return isInPolygon((value as { coordinates: [number, number][] }).coordinates, [latitude, longitude])
  }
  const point = value as WireGeoPoint
  if (condition.kind === 'box') {
    return boxesBetween(condition.southWest, condition.northEast).some((box) => isInBox(box, point))
  }
  if (condition.kind === 'polygon') {
    const corners = condition.points.map(({ latitude, longitude }) => [longitude, latitude] as const)
    return isInPolygon(corners, [point.longitude, point.latitude])
  }
  const { maxDistance } = condition
  if (maxDistance === undefined) return true
  const isNear = boxesAround(condition.point, maxDistance).some((box) => isInBox(box, point))
  return isNear && distanceBetween(condition.point, point) <= maxDistance
}

type Parts = { [key: string]: WireValue }

/** Values of a document at a place in JSON. Must agree with `writeSome`. */
function findCandidates(place: Place, object: WireFields, which: 'whole' | 'elements'): WireValue[] {
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

type Point = readonly [x: number, y: number]

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The great circle between two points, in radians (haversine). */
function distanceBetween(one: WireGeoPoint, other: WireGeoPoint): number {
  const half = (difference: number) => Math.sin(radians(difference) / 2) ** 2
  const chord =
    half(other.latitude - one.latitude) +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * half(other.longitude - one.longitude)
  return 2 * Math.asin(Math.sqrt(Math.min(1, chord)))
}

function isInBox({ south, north, west, east }: Box, { latitude, longitude }: WireGeoPoint): boolean {
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east
}

/** Plane geometry; the edge belongs to it. What it goes round more than once is inside too. */
function isInPolygon(corners: readonly Point[], [x, y]: Point): boolean {
  let winding = 0
  for (const [index, [toX, toY]] of corners.entries()) {
    const [fromX, fromY] = corners.at(index - 1) as Point
    const side = (toX - fromX) * (y - fromY) - (x - fromX) * (toY - fromY)
    const isBetween =
      x >= Math.min(fromX, toX) - tolerance &&
      x <= Math.max(fromX, toX) + tolerance &&
      y >= Math.min(fromY, toY) - tolerance &&
      y <= Math.max(fromY, toY) + tolerance
    if (isBetween && Math.abs(side) <= tolerance) return true
    if (fromY <= y && toY > y && side > 0) winding++
    else if (fromY > y && toY <= y && side < 0) winding--
  }
  return winding !== 0
}
