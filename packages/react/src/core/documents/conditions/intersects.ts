import type { GeoPoint } from '../values/FieldTypes.ts'

/**
 * Areas that a place lies in.
 *
 * @example
 * query('Zone', { where: { area: intersects(geoPoint(48.2, 16.36)) } })
 */
export function intersects(point: GeoPoint): { readonly $geoIntersects: { readonly $point: GeoPoint } } {
  return { $geoIntersects: { $point: point } }
}
