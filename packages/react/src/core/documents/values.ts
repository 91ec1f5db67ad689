import { ValidationError } from '../errors/errors.ts'
import type { Bytes, GeoPoint, Pointer, Polygon } from '../values/Document.ts'
import type { ClassName } from '../values/Register.ts'

/**
 * A few bytes as a field's value.
 *
 * @example
 * await createDocument(client, 'Key', { salt: bytes(crypto.getRandomValues(new Uint8Array(16))) })
 */
export function bytes(data: Uint8Array): Bytes {
  return Object.freeze({
    __type: 'Bytes',
    base64: btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join('')),
  })
}

/**
 * The bytes of a field's value.
 *
 * @example
 * const salt = readBytes(key.salt)
 */
export function readBytes({ base64 }: Bytes): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/**
 * A place on Earth, in degrees.
 *
 * @example
 * await createDocument(client, 'Cafe', { name: 'Sperl', place: geoPoint(48.2, 16.36) })
 */
export function geoPoint(latitude: number, longitude: number): GeoPoint {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
    throw new ValidationError(
      `Invalid coordinates: latitude ${latitude}, longitude ${longitude}.`,
      'The latitude must be from -90 to 90, the longitude from -180 to 180.',
    )
  }
  return Object.freeze({ __type: 'GeoPoint', latitude, longitude })
}

/**
 * Names an object by its class and id.
 *
 * @example
 * await createDocument(client, 'Score', { game: pointer('Game', 'xWMyZ4YEGZ'), player: 'ada', points: 7 })
 */
export function pointer<Name extends ClassName>(className: Name, objectId: string): Pointer<Name> {
  return Object.freeze({ __type: 'Pointer', className, objectId })
}

/**
 * An area, by its corners.
 *
 * @example
 * await createDocument(client, 'Zone', { area: polygon([geoPoint(0, 0), geoPoint(0, 1), geoPoint(1, 1)]) })
 */
export function polygon(corners: readonly GeoPoint[]): Polygon {
  return Object.freeze({
    __type: 'Polygon',
    coordinates: Object.freeze(corners.map(({ latitude, longitude }) => Object.freeze([latitude, longitude] as const))),
  })
}
