import type { WireGeoPoint } from '@countersign/protocol'
import type { Condition, Place } from '../Condition.ts'
import type { Writing } from '../Writing.ts'
import { columnOf } from '../writeCandidates.ts'
import { type Box, boxesAround, boxesBetween } from './distance.ts'

type Of<Kind extends Condition['kind']> = Extract<Condition, { kind: Kind }>

/** The great circle between the point and the column, in radians (haversine). A point is (longitude, latitude). */
export function writeDistance({ bindings }: Writing, place: Place, point: WireGeoPoint, alias: string): string {
  const column = columnOf(place, alias)
  const latitude = `${bindings.bind(point.latitude)}::float8`
  const longitude = `${bindings.bind(point.longitude)}::float8`
  const half = (difference: string) => `power(sind((${difference}) / 2), 2)`
  const chord = `${half(`${column}[1] - ${latitude}`)} + cosd(${latitude}) * cosd(${column}[1]) * ${half(`${column}[0] - ${longitude}`)}`
  return `(2 * asin(sqrt(least(1, ${chord}))))`
}

/** The box first, which an index can answer; the distance only of what lies in it. */
export function writeNear(writing: Writing, { place, point, maxDistance }: Of<'near'>, alias: string): string {
  if (maxDistance === undefined) return `${columnOf(place, alias)} is not null`
  const boxes = writeBoxes(writing, place, boxesAround(point, maxDistance), alias)
  return `(${boxes} and ${writeDistance(writing, place, point, alias)} <= ${writing.bindings.bind(maxDistance)}::float8)`
}

export function writeBox(writing: Writing, { place, southWest, northEast }: Of<'box'>, alias: string): string {
  return writeBoxes(writing, place, boxesBetween(southWest, northEast), alias)
}

function writeBoxes({ bindings }: Writing, place: Place, boxes: Box[], alias: string): string {
  const tests = boxes.map(({ south, north, west, east }) => {
    return `${columnOf(place, alias)} <@ ${bindings.bind(`((${west},${south}),(${east},${north}))`)}::box`
  })
  return tests.length === 1 ? (tests[0] as string) : `(${tests.join(' or ')})`
}

export function writePolygon({ bindings }: Writing, { place, points }: Of<'polygon'>, alias: string): string {
  const corners = points.map(({ latitude, longitude }) => `(${longitude},${latitude})`)
  return `${columnOf(place, alias)} <@ ${bindings.bind(`(${corners.join(',')})`)}::polygon`
}

/** A Polygon lies in wire order: latitude first. */
export function writeSurrounds({ bindings }: Writing, { place, point }: Of<'surrounds'>, alias: string): string {
  const polygon = `translate(${columnOf(place, alias)}::text, '[]', '()')::polygon`
  return `${bindings.bind(`(${point.latitude},${point.longitude})`)}::point <@ ${polygon}`
}
