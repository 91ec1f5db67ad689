import { CountersignError, type WireGeoPoint, type WireValue } from '@countersign/protocol'
import { type Condition, never } from './Condition.ts'
import type { Place } from './Place.ts'

const earthRadius = { kilometers: 6371, miles: 3958.8 }

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** A part of the plane, in degrees. */
export type Box = { south: number; north: number; west: number; east: number }

/** Bounding boxes of a radius: one, or two across the date line. */
export function boxesAround({ latitude, longitude }: WireGeoPoint, distance: number): Box[] {
  // A little more than needed: what lies on the edge must not be lost to rounding.
  const reach = (distance * 180) / Math.PI + 1e-6
  const [south, north] = [latitude - reach, latitude + reach]
  const band = { south: Math.max(south, -90), north: Math.min(north, 90) }
  // Around a pole, every meridian is near.
  if (south <= -90 || north >= 90) return [{ ...band, west: -180, east: 180 }]
  const width = (Math.asin(Math.min(1, Math.sin(radians(reach)) / Math.cos(radians(latitude)))) * 180) / Math.PI + 1e-6
  const [west, east] = [longitude - width, longitude + width]
  if (west < -180) {
    return [
      { ...band, west: west + 360, east: 180 },
      { ...band, west: -180, east },
    ]
  }
  if (east > 180) {
    return [
      { ...band, west, east: 180 },
      { ...band, west: -180, east: east - 360 },
    ]
  }
  return [{ ...band, west, east }]
}

/** The boxes of two corners. From east to west it leads across the date line. */
export function boxesBetween(southWest: WireGeoPoint, northEast: WireGeoPoint): Box[] {
  const band = {
    south: Math.min(southWest.latitude, northEast.latitude),
    north: Math.max(southWest.latitude, northEast.latitude),
  }
  const [west, east] = [southWest.longitude, northEast.longitude]
  if (west <= east) return [{ ...band, west, east }]
  return [
    { ...band, west, east: 180 },
    { ...band, west: -180, east },
  ]
}

type Parts = { [key: string]: WireValue }

/** The operators that a point can be asked with, by name. `constraints` are those beside it. */
export function readGeo(
  place: Place | undefined,
  operator: string,
  value: WireValue,
  constraints: Parts,
): Condition | undefined {
  switch (operator) {
    case '$nearSphere':
      return readNear(place, value, constraints)
    case '$within':
      return readBox(place, value)
    case '$geoWithin':
      return readGeoWithin(place, value)
    case '$geoIntersects':
      return readIntersects(place, value)
    default:
      return undefined
  }
}

function readNear(place: Place | undefined, value: WireValue, constraints: Parts): Condition {
  const point = findPoint(value) ?? refuse('bad $nearSphere value; should be GeoPoint')
  const maxDistance = readMaxDistance(constraints)
  if (place?.type !== 'GeoPoint') return never
  return { kind: 'near', place, point, sorted: true, ...(maxDistance !== undefined && { maxDistance }) }
}

function readMaxDistance(constraints: Parts): number | undefined {
  const distances = [
    readDistance(constraints, '$maxDistance', 1),
    readDistance(constraints, '$maxDistanceInRadians', 1),
    readDistance(constraints, '$maxDistanceInMiles', earthRadius.miles),
    readDistance(constraints, '$maxDistanceInKilometers', earthRadius.kilometers),
  ].filter((distance) => distance !== undefined)
  return distances.length === 0 ? undefined : Math.min(...distances)
}

function readDistance(constraints: Parts, name: string, radius: number): number | undefined {
  const value = Object.hasOwn(constraints, name) ? constraints[name] : undefined
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !(value >= 0)) return refuse(`bad ${name} value; should be a number from 0 up`)
  return value / radius
}

function readBox(place: Place | undefined, value: WireValue): Condition {
  const box = asParts(value)?.$box
  const [southWest, northEast] = Array.isArray(box) && box.length === 2 ? box.map(findPoint) : []
  if (!southWest || !northEast)
    return refuse('bad $within value; $box should be two GeoPoints, south-west and north-east')
  if (place?.type !== 'GeoPoint') return never
  // A south that lies north of the north means corners in the other order; a west that lies east of the east is a box
  // across the date line.
  return southWest.latitude <= northEast.latitude
    ? { kind: 'box', place, southWest, northEast }
    : { kind: 'box', place, southWest: northEast, northEast: southWest }
}

function readGeoWithin(place: Place | undefined, value: WireValue): Condition {
  const parts = asParts(value)
  if (parts?.$polygon !== undefined) {
    const points = readPolygon(parts.$polygon)
    return place?.type === 'GeoPoint' ? { kind: 'polygon', place, points } : never
  }
  if (parts?.$centerSphere === undefined) {
    return refuse('bad $geoWithin value; should have $polygon or $centerSphere')
  }
  const [center, maxDistance] = Array.isArray(parts.$centerSphere) ? parts.$centerSphere : []
  const point = findPoint(center) ?? findPair(center) ?? refuse('bad $geoWithin value; $centerSphere geo point invalid')
  if (typeof maxDistance !== 'number' || !(maxDistance >= 0)) {
    return refuse('bad $geoWithin value; $centerSphere distance invalid')
  }
  return place?.type === 'GeoPoint' ? { kind: 'near', place, point, maxDistance, sorted: false } : never
}

function readPolygon(value: WireValue): WireGeoPoint[] {
  const typed = asParts(value)
  // A Polygon is written [latitude, longitude]; bare pairs are written the other way round.
  const points =
    typed?.__type === 'Polygon' && Array.isArray(typed.coordinates)
      ? typed.coordinates.map((pair) => findPair(Array.isArray(pair) ? [pair[1] ?? null, pair[0] ?? null] : null))
      : Array.isArray(value)
        ? value.map((entry) => findPoint(entry) ?? findPair(entry))
        : refuse('bad $geoWithin value; $polygon should be Polygon object or Array of Parse.GeoPoint')
  if (points.length < 3) refuse('bad $geoWithin value; $polygon should contain at least 3 GeoPoints')
  if (points.length > 1000) refuse('bad $geoWithin value; $polygon may contain 1000 GeoPoints at most')
  return points.map((point) => point ?? refuse('bad $geoWithin value'))
}

function readIntersects(place: Place | undefined, value: WireValue): Condition {
  const point = findPoint(asParts(value)?.$point) ?? refuse('bad $geoIntersect value; $point should be GeoPoint')
  return place?.type === 'Polygon' ? { kind: 'surrounds', place, point } : never
}

function findPoint(value: WireValue | undefined): WireGeoPoint | undefined {
  const parts = asParts(value)
  const { latitude, longitude } = parts ?? {}
  return parts?.__type === 'GeoPoint' ? checked(latitude, longitude) : undefined
}

function findPair(value: WireValue | undefined): WireGeoPoint | undefined {
  return Array.isArray(value) && value.length === 2 ? checked(value[1], value[0]) : undefined
}

function checked(latitude: unknown, longitude: unknown): WireGeoPoint | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
    return refuse('bad geo value; latitude must be between -90 and 90, longitude between -180 and 180')
  }
  return { __type: 'GeoPoint', latitude, longitude }
}

function asParts(value: WireValue | undefined): Parts | undefined {
  return value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Parts)
    : undefined
}

function refuse(message: string): never {
  throw new CountersignError('InvalidJson', message)
}
