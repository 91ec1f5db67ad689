import type { GeoPoint } from '../values/FieldTypes.ts'

/**
 * Places in a rectangle, given by two corners.
 *
 * @example
 * query('Cafe', { where: { place: withinBox(geoPoint(48.1, 16.2), geoPoint(48.3, 16.6)) } })
 */
export function withinBox(
  southWest: GeoPoint,
  northEast: GeoPoint,
): { readonly $within: { readonly $box: readonly [GeoPoint, GeoPoint] } } {
  return { $within: { $box: [southWest, northEast] } }
}
