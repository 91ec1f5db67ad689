import type { GeoPoint } from '../values/FieldTypes.ts'
import { type Distance, toRadians } from './toRadians.ts'

/**
 * Places no farther than this from a point, in any order.
 *
 * @example
 * query('Cafe', { where: { place: withinCircle(geoPoint(48.2, 16.36), { miles: 1 }) }, order: ['name'] })
 */
export function withinCircle(
  center: GeoPoint,
  radius: Distance,
): { readonly $geoWithin: { readonly $centerSphere: readonly [GeoPoint, number] } } {
  return { $geoWithin: { $centerSphere: [center, toRadians(radius)] } }
}
