import type { WireGeoPoint } from '@countersign/protocol'

/** R26. */
export const earthRadius = { kilometers: 6371, miles: 3958.8 }

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** A part of the plane, in degrees. */
export type Box = { south: number; north: number; west: number; east: number }

/** What a point within the distance cannot lie outside of: one box, or two where it reaches across the date line. */
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
