import type { WireDate, WireGeoPoint, WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Decision } from '../permissions/Decision.ts'
import type { Place } from './Place.ts'
import type { Pattern } from './patterns/Pattern.ts'

/** A subquery: carried out with the caller's own rights. */
export type Subquery = { readonly schema: ClassSchema; readonly decision: Decision; readonly condition: Condition }

export type TextSearch = {
  /** The configuration of PostgreSQL's search. */
  readonly language: string
  /** One of them suffices. */
  readonly words: readonly string[]
  readonly phrases: readonly string[]
  readonly without: readonly string[]
  readonly caseSensitive: boolean
  readonly diacriticSensitive: boolean
}

/** Parsed `where`: every name is checked, and every value is in its plain form. */
export type Condition =
  /** Constant result, such as for a number in a text field. */
  | { readonly kind: 'constant'; readonly holds: boolean }
  | { readonly kind: 'all'; readonly of: readonly Condition[] }
  | { readonly kind: 'any'; readonly of: readonly Condition[] }
  /** True where the other is not: also where the field is missing. */
  | { readonly kind: 'not'; readonly of: Condition }
  /** A candidate equals one of the values; none of them is null. Files are compared by name. */
  | { readonly kind: 'equals'; readonly place: Place; readonly values: readonly WireValue[] }
  /** A candidate stands so to the value; only values of one type compare. Texts by their code points. */
  | {
      readonly kind: 'compares'
      readonly place: Place
      readonly operator: '<' | '<=' | '>' | '>='
      readonly value: string | number | boolean | WireDate
    }
  /** True for any value, even null. */
  | { readonly kind: 'exists'; readonly place: Place }
  /** True for any value except null. */
  | { readonly kind: 'hasValue'; readonly place: Place }
  /** An array, each element of which equals one of the values. */
  | { readonly kind: 'containedBy'; readonly place: Place; readonly values: readonly WireValue[] }
  /** A candidate is a text that the pattern is found in. */
  | { readonly kind: 'pattern'; readonly place: Place; readonly pattern: Pattern }
  | { readonly kind: 'text'; readonly place: Place; readonly search: TextSearch }
  /** A point at this distance at most, in radians of the great circle; without one, any point. */
  | {
      readonly kind: 'near'
      readonly place: Place
      readonly point: WireGeoPoint
      readonly maxDistance?: number
      /** The nearest come first, unless the query asks for another order. */
      readonly sorted: boolean
    }
  /** Plane geometry; from east to west it leads across the date line. */
  | { readonly kind: 'box'; readonly place: Place; readonly southWest: WireGeoPoint; readonly northEast: WireGeoPoint }
  /** Plane geometry, edges included. */
  | { readonly kind: 'polygon'; readonly place: Place; readonly points: readonly WireGeoPoint[] }
  /** A Polygon field that holds the point. */
  | { readonly kind: 'surrounds'; readonly place: Place; readonly point: WireGeoPoint }
  /** A Pointer (or an array of them) to a result of the subquery. */
  | { readonly kind: 'inQuery'; readonly place: Place; readonly query: Subquery }
  /** A candidate equals a candidate of `key` in a result of the subquery. */
  | { readonly kind: 'select'; readonly place: Place; readonly key: Place; readonly query: Subquery }
  /** The object's relation holds one of these; without `ids` and `query`, anything. */
  | {
      readonly kind: 'relation'
      readonly className: string
      readonly field: string
      readonly ids?: readonly string[]
      readonly query?: Subquery
    }
  /** The object is held by the relation `field` of the owner, which the caller may read. */
  | {
      readonly kind: 'relatedTo'
      readonly owner: {
        readonly schema: ClassSchema
        readonly decision: Decision
        readonly objectId: string
        /** Further condition from hooks of the owner's class. */
        readonly condition: Condition
      }
      readonly field: string
    }

export const never: Condition = { kind: 'constant', holds: false }

export const always: Condition = { kind: 'constant', holds: true }

/** Every one of them; what is certain is left out. */
export function all(of: readonly Condition[]): Condition {
  const open = of.filter((condition) => condition.kind !== 'constant' || !condition.holds)
  if (open.some((condition) => condition.kind === 'constant')) return never
  return open.length === 0 ? always : open.length === 1 ? (open[0] as Condition) : { kind: 'all', of: open }
}

/** At least one of them. */
export function any(of: readonly Condition[]): Condition {
  const open = of.filter((condition) => condition.kind !== 'constant' || condition.holds)
  if (open.some((condition) => condition.kind === 'constant')) return always
  return open.length === 0 ? never : open.length === 1 ? (open[0] as Condition) : { kind: 'any', of: open }
}

export function not(of: Condition): Condition {
  if (of.kind === 'constant') return of.holds ? never : always
  return of.kind === 'not' ? of.of : { kind: 'not', of }
}

/** Returns true if a condition or a subquery contains a pattern, whose cost does not depend on its length. */
export function hasPattern(condition: Condition): boolean {
  switch (condition.kind) {
    case 'pattern':
      return condition.pattern.plain === undefined
    case 'all':
    case 'any':
      return condition.of.some(hasPattern)
    case 'not':
      return hasPattern(condition.of)
    case 'inQuery':
    case 'select':
      return hasPattern(condition.query.condition)
    case 'relation':
      return condition.query !== undefined && hasPattern(condition.query.condition)
    default:
      return false
  }
}

/**
 * Returns true if a condition can be decided from the document alone. Subqueries and relations depend on other rows, a
 * text search needs PostgreSQL's dictionaries, and session tokens are only in the database.
 */
export function isMatchable(condition: Condition): boolean {
  switch (condition.kind) {
    case 'constant':
      return true
    case 'all':
    case 'any':
      return condition.of.every(isMatchable)
    case 'not':
      return isMatchable(condition.of)
    case 'text':
    case 'inQuery':
    case 'select':
    case 'relation':
    case 'relatedTo':
      return false
    default:
      return !condition.place.field.startsWith('_')
  }
}

/** Finds a condition that every document must meet, not only some alternatives. */
export function findPart(condition: Condition, kind: 'near' | 'text'): Condition | undefined {
  if (condition.kind === kind) return condition
  return condition.kind === 'all' ? condition.of.find((part) => part.kind === kind) : undefined
}
