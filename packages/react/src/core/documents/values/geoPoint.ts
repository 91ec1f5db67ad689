import { ValidationError } from '../../errors/ValidationError.ts'
import type { GeoPoint } from './FieldTypes.ts'

/**
 * A place on Earth, in degrees.
 *
 * @example
 * await create(client, 'Cafe', { name: 'Sperl', place: geoPoint(48.2, 16.36) })
 */
export function geoPoint(latitude: number, longitude: number): GeoPoint {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
    throw new ValidationError(
      `No place on Earth is at latitude ${latitude}, longitude ${longitude}.`,
      'Give the latitude first, from -90 to 90, and then the longitude, from -180 to 180.',
    )
  }
  return Object.freeze({ __type: 'GeoPoint', latitude, longitude })
}
