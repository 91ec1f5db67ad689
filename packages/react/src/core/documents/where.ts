import { ValidationError } from '../errors/errors.ts'
import type { GeoPoint, Polygon } from '../values/Document.ts'
import type { ClassName } from '../values/Register.ts'
import type { FieldName, Query, Subquery } from './Query.ts'

/**
 * Texts that hold this anywhere.
 *
 * @example
 * defineQuery('Game', { where: { title: where.contains('Chess') } })
 */
export function contains(text: string): { readonly $regex: string } {
  return { $regex: quotePattern(text) }
}

/**
 * Texts that end so.
 *
 * @example
 * defineQuery('Game', { where: { title: where.endsWith('Chess') } })
 */
export function endsWith(text: string): { readonly $regex: string } {
  return { $regex: `${quotePattern(text)}$` }
}

/**
 * Pointers to an object that another query finds. Order, limit and skip of that query do not count.
 *
 * @example
 * defineQuery('Score', { where: { game: where.inQuery(defineQuery('Game', { where: { title: 'Chess' } })) } })
 */
export function inQuery<Name extends ClassName, Item>(query: Query<Name, Item>): { readonly $inQuery: Subquery } {
  return { $inQuery: toSubquery(query) }
}

/**
 * Values that a field has in an object which another query finds.
 *
 * @example
 * defineQuery('Score', { where: { player: where.matchesKeyInQuery(defineQuery('Game'), 'player') } })
 */
export function matchesKeyInQuery<Name extends ClassName, Item>(
  query: Query<Name, Item>,
  key: FieldName<Name>,
): { readonly $select: { readonly key: string; readonly query: Subquery } } {
  return { $select: { key, query: toSubquery(query) } }
}

/**
 * Areas that contain a place.
 *
 * @example
 * defineQuery('Zone', { where: { area: where.intersects(geoPoint(48.2, 16.36)) } })
 */
export function intersects(point: GeoPoint): { readonly $geoIntersects: { readonly $point: GeoPoint } } {
  return { $geoIntersects: { $point: point } }
}

/**
 * Texts that a regular expression matches. Of its flags i, m, s and u count.
 *
 * @example
 * defineQuery('Game', { where: { title: where.matches(/^chess/i) } })
 */
export function matches({ source, flags }: RegExp): { readonly $regex: string; readonly $options?: string } {
  const options = flags.replace(/[^imsu]/g, '')
  return options === '' ? { $regex: source } : { $regex: source, $options: options }
}

/**
 * Places by their distance, the nearest first unless there is another order.
 *
 * @example
 * defineQuery('Cafe', { where: { place: where.near(geoPoint(48.2, 16.36), { kilometers: 2 }) }, limit: 10 })
 */
export function near(
  point: GeoPoint,
  within?: Distance,
): { readonly $nearSphere: GeoPoint; readonly $maxDistance?: number } {
  return within ? { $nearSphere: point, $maxDistance: toRadians(within) } : { $nearSphere: point }
}

/**
 * Pointers to an object that another query does not find. Order, limit and skip of that query do not count.
 *
 * @example
 * defineQuery('Score', { where: { game: where.notInQuery(defineQuery('Game', { where: { title: 'Chess' } })) } })
 */
export function notInQuery<Name extends ClassName, Item>(query: Query<Name, Item>): { readonly $notInQuery: Subquery } {
  return { $notInQuery: toSubquery(query) }
}

/**
 * Values that a field has in no object which another query finds.
 *
 * @example
 * defineQuery('Score', { where: { player: where.doesNotMatchKeyInQuery(defineQuery('Game'), 'player') } })
 */
export function doesNotMatchKeyInQuery<Name extends ClassName, Item>(
  query: Query<Name, Item>,
  key: FieldName<Name>,
): { readonly $dontSelect: { readonly key: string; readonly query: Subquery } } {
  return { $dontSelect: { key, query: toSubquery(query) } }
}

/** The text as a pattern that matches it to the letter. */
function quotePattern(text: string): string {
  return `\\Q${text.replaceAll('\\E', '\\E\\\\E\\Q')}\\E`
}

export type SearchOptions = {
  /** Such as `en`; it decides which forms of a word are one. */
  readonly language?: string
  readonly caseSensitive?: boolean
  readonly diacriticSensitive?: boolean
}

/**
 * Texts that hold these words. Order by `$score` for the best match first.
 *
 * @example
 * defineQuery('Post', { where: { text: where.search('good coffee', { language: 'en' }) }, order: ['$score'], keys: ['text', '$score'] })
 */
export function search(term: string, { language, caseSensitive, diacriticSensitive }: SearchOptions = {}) {
  const $search: { readonly $term: string; readonly [option: string]: unknown } = {
    $term: term,
    $language: language,
    $caseSensitive: caseSensitive,
    $diacriticSensitive: diacriticSensitive,
  }
  return { $text: { $search } } as const
}

/**
 * Texts that begin so; an index can serve it.
 *
 * @example
 * defineQuery('Game', { where: { title: where.startsWith('Chess') } })
 */
export function startsWith(text: string): { readonly $regex: string } {
  return { $regex: `^${quotePattern(text)}` }
}

export type Distance = { readonly kilometers: number } | { readonly miles: number } | { readonly radians: number }

/** A distance as an angle at the centre of the Earth, whose radius is 6371 km or 3958.8 miles. */
function toRadians(distance: Distance): number {
  const radians =
    'kilometers' in distance
      ? distance.kilometers / 6371
      : 'miles' in distance
        ? distance.miles / 3958.8
        : distance.radians
  if (!(radians >= 0)) {
    throw new ValidationError('A distance must be a number of at least 0.', `Received ${JSON.stringify(distance)}.`)
  }
  return radians
}

/** The part of a query that counts inside another one. */
function toSubquery({ className, where = {} }: Query<string, unknown>): Subquery {
  return { className, where }
}

/**
 * Places in a rectangle, given by two corners.
 *
 * @example
 * defineQuery('Cafe', { where: { place: where.withinBox(geoPoint(48.1, 16.2), geoPoint(48.3, 16.6)) } })
 */
export function withinBox(
  southWest: GeoPoint,
  northEast: GeoPoint,
): { readonly $within: { readonly $box: readonly [GeoPoint, GeoPoint] } } {
  return { $within: { $box: [southWest, northEast] } }
}

/**
 * Places no farther than this from a point, in any order.
 *
 * @example
 * defineQuery('Cafe', { where: { place: where.withinCircle(geoPoint(48.2, 16.36), { miles: 1 }) }, order: ['name'] })
 */
export function withinCircle(
  center: GeoPoint,
  radius: Distance,
): { readonly $geoWithin: { readonly $centerSphere: readonly [GeoPoint, number] } } {
  return { $geoWithin: { $centerSphere: [center, toRadians(radius)] } }
}

/**
 * Places in an area.
 *
 * @example
 * defineQuery('Cafe', { where: { place: where.withinPolygon([geoPoint(48, 16), geoPoint(48, 17), geoPoint(49, 17)]) } })
 */
export function withinPolygon(area: readonly GeoPoint[] | Polygon): {
  readonly $geoWithin: { readonly $polygon: readonly GeoPoint[] | Polygon }
} {
  return { $geoWithin: { $polygon: area } }
}

/**
 * A value above the one given.
 *
 * @example
 * findDocuments(client, defineQuery('Game', { where: { score: where.greaterThan(5) } }))
 */
export function greaterThan<Value extends Comparable>(value: Value): { readonly $gt: Value } {
  return { $gt: value }
}

/** The value given, or one above it. */
export function atLeast<Value extends Comparable>(value: Value): { readonly $gte: Value } {
  return { $gte: value }
}

/** A value below the one given. */
export function lessThan<Value extends Comparable>(value: Value): { readonly $lt: Value } {
  return { $lt: value }
}

/** The value given, or one below it. */
export function atMost<Value extends Comparable>(value: Value): { readonly $lte: Value } {
  return { $lte: value }
}

/** One of the values given. */
export function oneOf<Value>(values: readonly Value[]): { readonly $in: readonly Value[] } {
  return { $in: values }
}

type Comparable = string | number | Date
