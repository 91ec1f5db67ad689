import { findValue, matchDocument, valuesAt, type WireFields, type WireGeoPoint } from '@countersign/protocol'
import type { Condition } from './Condition.ts'
import { type Box, boxesAround, boxesBetween } from './geo.ts'
import { matchesPattern } from './patterns/matchesPattern.ts'

/** As PostgreSQL's own. */
const tolerance = 1e-6

type Of<Kind extends Condition['kind']> = Extract<Condition, { kind: Kind }>

/**
 * Evaluates conditions on a document in memory. Must agree with `writeWhere`. Never called for conditions that
 * `isMatchable` rejects.
 */
export function matches(condition: Condition, object: WireFields): boolean {
  return matchDocument(condition, object, matchOther)
}

function matchOther(condition: Condition, object: WireFields): boolean {
  switch (condition.kind) {
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
