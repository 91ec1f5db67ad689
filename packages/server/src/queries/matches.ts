import { compareTexts, type WireFields, type WireGeoPoint, type WireValue } from '@countersign/protocol'
import { sameValue } from '../classes/sameValue.ts'
import type { Condition, Place } from './Condition.ts'
import { findCandidates } from './findCandidates.ts'
import { boxesAround, boxesBetween } from './geo/distance.ts'
import { distanceBetween, isInBox, isInPolygon } from './geo/measure.ts'
import { matchesPattern } from './patterns/matchesPattern.ts'
import { isJson } from './resolvePlace.ts'

type Of<Kind extends Condition['kind']> = Extract<Condition, { kind: Kind }>
type Typed = { [key: string]: WireValue }

/**
 * Whether an object as it stands on the wire is one that the conditions ask for: the twin of `writeWhere`, for objects
 * in memory. Conditions that `isMatchable` refuses are never given to it.
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
    case 'containedBy':
      return findCandidates(condition.place, object, 'whole').some(
        (list) => Array.isArray(list) && list.every((item) => condition.values.some((value) => sameValue(value, item))),
      )
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

function valuesAt(place: Place, object: WireFields): WireValue[] {
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
  return [...found, ...wholes].some((value) => values.some((wanted) => sameValue(wanted, value)))
}

function equalsPlainly(place: Place, wanted: WireValue, value: WireValue): boolean {
  if (place.type === 'Date') return timeOf(wanted) === timeOf(value)
  if (place.type === 'File') return (wanted as Typed).name === (value as Typed).name
  if (place.type === 'Pointer') return (wanted as Typed).objectId === (value as Typed).objectId
  return sameValue(wanted, value)
}

/** `createdAt` and `updatedAt` are bare on the wire. */
function timeOf(date: WireValue): number {
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

/** Only values of one type stand in an order; dates inside JSON by their text. */
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
