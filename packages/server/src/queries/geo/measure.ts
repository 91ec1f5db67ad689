import type { WireGeoPoint } from '@countersign/protocol'
import type { Box } from './distance.ts'

type Point = readonly [x: number, y: number]

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The great circle between two points, in radians (haversine). */
export function distanceBetween(one: WireGeoPoint, other: WireGeoPoint): number {
  const half = (difference: number) => Math.sin(radians(difference) / 2) ** 2
  const chord =
    half(other.latitude - one.latitude) +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * half(other.longitude - one.longitude)
  return 2 * Math.asin(Math.sqrt(Math.min(1, chord)))
}

export function isInBox({ south, north, west, east }: Box, { latitude, longitude }: WireGeoPoint): boolean {
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east
}

/** As PostgreSQL's own. */
const tolerance = 1e-6

/** Plane geometry; the edge belongs to it. What it goes round more than once is inside too. */
export function isInPolygon(corners: readonly Point[], [x, y]: Point): boolean {
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
