import type { GeoPoint } from '../values/FieldTypes.ts'
import { type Distance, toRadians } from './toRadians.ts'

/**
 * Places by their distance, the nearest first unless there is another order.
 *
 * @example
 * query('Cafe', { where: { place: near(geoPoint(48.2, 16.36), { kilometers: 2 }) }, limit: 10 })
 */
export function near(
  point: GeoPoint,
  within?: Distance,
): { readonly $nearSphere: GeoPoint; readonly $maxDistance?: number } {
  return within ? { $nearSphere: point, $maxDistance: toRadians(within) } : { $nearSphere: point }
}
