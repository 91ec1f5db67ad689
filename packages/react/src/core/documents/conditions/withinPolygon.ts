import type { GeoPoint, Polygon } from '../values/FieldTypes.ts'

/**
 * Places in an area.
 *
 * @example
 * query('Cafe', { where: { place: withinPolygon([geoPoint(48, 16), geoPoint(48, 17), geoPoint(49, 17)]) } })
 */
export function withinPolygon(area: readonly GeoPoint[] | Polygon): {
  readonly $geoWithin: { readonly $polygon: readonly GeoPoint[] | Polygon }
} {
  return { $geoWithin: { $polygon: area } }
}
