import { type GeoPoint, geoPoint } from '@countersign/react/core'

type Given = { latitude: number; longitude: number } | readonly [number, number]

/** A place; a class, because applications make it with `new`. */
export class MoralisGeoPoint {
  latitude: number
  longitude: number

  constructor(latitude: number | Given = 0, longitude = 0) {
    const [lat = 0, lng = 0] = readPair(latitude, longitude)
    const place = geoPoint(lat, lng)
    this.latitude = place.latitude
    this.longitude = place.longitude
  }

  /** The angle at the centre of the Earth. */
  radiansTo(point: MoralisGeoPoint): number {
    const [a, b] = [toRadians(this.latitude), toRadians(point.latitude)]
    const height = Math.sin((a - b) / 2) ** 2
    const width = Math.sin(toRadians(this.longitude - point.longitude) / 2) ** 2
    return 2 * Math.asin(Math.min(1, Math.sqrt(height + Math.cos(a) * Math.cos(b) * width)))
  }

  kilometersTo(point: MoralisGeoPoint): number {
    return this.radiansTo(point) * 6371
  }

  milesTo(point: MoralisGeoPoint): number {
    return this.radiansTo(point) * 3958.8
  }

  equals(other: unknown): boolean {
    const { latitude, longitude } = Object(other)
    return latitude === this.latitude && longitude === this.longitude
  }

  toJSON(): GeoPoint {
    return geoPoint(this.latitude, this.longitude)
  }
}

function readPair(latitude: number | Given, longitude: number): readonly number[] {
  if (typeof latitude === 'number') return [latitude, longitude]
  return 'latitude' in latitude ? [latitude.latitude, latitude.longitude] : latitude
}

function toRadians(degrees: number): number {
  return (degrees / 180) * Math.PI
}
