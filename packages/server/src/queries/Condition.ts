import type { WireDate, WireGeoPoint, WireValue } from '@countersign/protocol'
import type { ClassSchema, FieldTypeName } from '../classes/ClassSchema.ts'
import type { Decision } from '../permissions/Decision.ts'
import type { Pattern } from './patterns/Pattern.ts'

/**
 * Where a condition looks: a field with a column (`objectId`, `createdAt` and `updatedAt` among them), and for Object
 * and Array fields the keys of a dotted name. A way without numbers looks through the arrays that it meets, one level
 * at each key; one with a number in it is followed exactly, a number being a place in an array or a key.
 *
 * What lies there are its candidates: none, one or several values. Where the field is an Array, or a candidate is one,
 * the elements count as candidates besides the whole.
 */
export type Place = {
  readonly field: string
  readonly type: FieldTypeName
  /** The class that a Pointer field leads to. */
  readonly targetClass?: string
  readonly path: readonly string[]
}

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

/** What was read from a `where`, once, with every name checked and every value in its plain form. */
export type Condition =
  /** What cannot be otherwise, such as a number in a field of texts. */
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
  /** There is something, even if it is null. */
  | { readonly kind: 'exists'; readonly place: Place }
  /** There is something that is not null. */
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
      readonly owner: { readonly schema: ClassSchema; readonly decision: Decision; readonly objectId: string }
      readonly field: string
    }
