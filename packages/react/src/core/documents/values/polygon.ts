import type { GeoPoint, Polygon } from './FieldTypes.ts'

/**
 * An area, by its corners.
 *
 * @example
 * await create(client, 'Zone', { area: polygon([geoPoint(0, 0), geoPoint(0, 1), geoPoint(1, 1)]) })
 */
export function polygon(corners: readonly GeoPoint[]): Polygon {
  return Object.freeze({
    __type: 'Polygon',
    coordinates: Object.freeze(corners.map(({ latitude, longitude }) => Object.freeze([latitude, longitude] as const))),
  })
}
