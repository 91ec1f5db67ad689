import type { Doc, Found, GeoPoint, Pointer, Polygon, Ref, Relation } from '../values/Document.ts'
import type { ClassName, FieldsOf } from '../values/Register.ts'

/** A question to a class. Make it with `query`; it holds no data and can be asked any number of times. */
export type Query<Name extends ClassName = ClassName, Item = Doc<Name>> = {
  readonly className: Name
  readonly where?: { readonly [field: string]: unknown }
  readonly order?: readonly string[]
  readonly limit?: number
  readonly skip?: number
  readonly include?: readonly string[]
  readonly keys?: readonly string[]
  readonly excludeKeys?: readonly string[]
  readonly redirectClassNameForKey?: string
  readonly maxStaleness?: number
  /** Type of the results; in the types alone. */
  readonly '~item'?: Item
}

/** A query of some class: the declarations of this package have to hold wherever classes are registered. */
export type AnyQuery = Omit<Query<ClassName, unknown>, 'className'> & { readonly className: string }

export type QueryOptions<
  Name extends ClassName = ClassName,
  Include extends string = IncludePath<Name>,
  Keys extends string = KeyPath<Name>,
  Left extends string = FieldName<Name>,
> = {
  readonly where?: Where<Name>
  /** The most important first; `-` before a name turns its order round. */
  readonly order?: readonly OrderKey<Name>[]
  /** 100 unless given. */
  readonly limit?: number
  readonly skip?: number
  /** Pointers whose objects are to be read along; `owner.team` reaches further, `*` means all of the first level. */
  readonly include?: readonly Include[]
  /** Only these fields, besides id, times and access list. */
  readonly keys?: readonly Keys[]
  /** All fields but these. */
  readonly excludeKeys?: readonly Left[]
  /**
   * Seconds that the result may be old: read replicas may serve it. Writes of this client are always in it. Live queries
   * ignore it.
   */
  readonly maxStaleness?: number
}

export type FieldName<Name extends ClassName> = keyof FieldsOf<Name> & string

type Sortable<Name extends ClassName> =
  | FieldName<Name>
  | 'objectId'
  | 'createdAt'
  | 'updatedAt'
  | '$score'
  | `${FieldName<Name>}.${string}`

type OrderKey<Name extends ClassName> = Sortable<Name> | `-${Sortable<Name>}`

export type KeyPath<Name extends ClassName> = FieldName<Name> | `${FieldName<Name>}.${string}` | '$score'

/** Fields that can hold pointers, and paths that begin at one. */
export type IncludePath<Name extends ClassName> = '*' | PointerField<Name> | `${PointerField<Name>}.${string}`

type PointerField<Name extends ClassName> =
  string extends FieldName<Name>
    ? string
    : {
        [Field in FieldName<Name>]-?: NonNullable<FieldsOf<Name>[Field]> extends Pointer | readonly unknown[]
          ? Field
          : never
      }[FieldName<Name>]

/** Conditions by field: a value to equal, or operators. All of them must hold. */
export type Where<Name extends ClassName = ClassName> = string extends keyof FieldsOf<Name>
  ? { readonly [field: string]: unknown }
  : { readonly [Field in keyof FieldsOf<Name>]?: Condition<FieldsOf<Name>[Field]> } & {
      readonly objectId?: Condition<string>
      readonly createdAt?: Condition<Date>
      readonly updatedAt?: Condition<Date>
      readonly $or?: readonly Where<Name>[]
      readonly $and?: readonly Where<Name>[]
      readonly $nor?: readonly Where<Name>[]
    } & { readonly [path: `${string}.${string}`]: unknown }

export type Condition<Value> = Match<NonNullable<Value>> | Operators<Match<NonNullable<Value>>>

/**
 * Values that a field can be compared with: lists also with their items; pointers and relations with any reference to a
 * document.
 */
type Match<Value> = unknown extends Value
  ? unknown
  : Value extends readonly (infer Item)[]
    ? Value | Match<Item>
    : Value extends Pointer<infer Name> | Relation<infer Name>
      ? Ref<Name> | null
      : Value | null

export type Operators<Value = unknown> = {
  readonly $eq?: Value
  readonly $ne?: Value
  readonly $lt?: Value | RelativeTime
  readonly $lte?: Value | RelativeTime
  readonly $gt?: Value | RelativeTime
  readonly $gte?: Value | RelativeTime
  readonly $in?: readonly Value[]
  readonly $nin?: readonly Value[]
  readonly $exists?: boolean
  readonly $all?: readonly (Value | { readonly $regex: string })[]
  readonly $containedBy?: readonly Value[]
  readonly $regex?: string
  readonly $options?: string
  readonly $text?: { readonly $search: { readonly $term: string; readonly [option: string]: unknown } }
  readonly $inQuery?: Subquery
  readonly $notInQuery?: Subquery
  readonly $select?: { readonly key: string; readonly query: Subquery }
  readonly $dontSelect?: { readonly key: string; readonly query: Subquery }
  readonly $nearSphere?: GeoPoint
  /** In radians. */
  readonly $maxDistance?: number
  readonly $within?: { readonly $box: readonly [GeoPoint, GeoPoint] }
  readonly $geoWithin?:
    | { readonly $polygon: readonly GeoPoint[] | Polygon }
    | { readonly $centerSphere: readonly [GeoPoint, number] }
  readonly $geoIntersects?: { readonly $point: GeoPoint }
}

/** Such as `2 days ago`, `in 1 hour` or `now`. */
type RelativeTime = { readonly $relativeTime: string }

export type Subquery = { readonly className: string; readonly where: { readonly [field: string]: unknown } }

/**
 * Makes a query: plain data that `find`, `first`, `count`, `findDocumentPages` and `useDocuments` take.
 *
 * @example
 * const best = defineQuery('Game', {
 *   where: { score: { $gte: 100 }, title: where.startsWith('Chess') },
 *   order: ['-score'],
 *   limit: 20,
 *   include: ['owner'],
 * })
 * const games = await findDocuments(client, best)
 */
export function defineQuery<
  Name extends ClassName,
  const Include extends IncludePath<Name> = never,
  const Keys extends KeyPath<Name> = never,
  const Left extends FieldName<Name> = never,
>(
  className: Name,
  options: QueryOptions<Name, Include, Keys, Left> = {},
): Query<Name, Found<Name, Include, Keys, Left>> {
  return Object.freeze({ ...options, className })
}

/** The class that a relation leads to. */
type TargetOf<Name extends ClassName, Field extends FieldName<Name>> =
  NonNullable<FieldsOf<Name>[Field]> extends Relation<infer Target>
    ? Target extends ClassName
      ? Target
      : never
    : ClassName

/**
 * The query of a relation's members, all of them or those that more conditions leave.
 *
 * @example
 * const fans = await findDocuments(client, relationQuery(game, 'likes', { where: { age: { $gte: 18 } } }))
 */
export function relationQuery<Name extends ClassName, Field extends FieldName<Name>>(
  object: Ref<Name>,
  field: Field,
  options: QueryOptions<TargetOf<Name, Field>> = {},
): Query<TargetOf<Name, Field>> {
  const { className, objectId } = object
  const marker: unknown = new Map<string, unknown>(Object.entries(object)).get(field)
  const target = typeof marker === 'object' && marker !== null && 'className' in marker ? marker.className : undefined
  // A pointer does not say which class the relation leads to; the server knows.
  const asked = target === undefined ? { className, redirectClassNameForKey: field } : { className: target }
  const $relatedTo = { object: { __type: 'Pointer', className, objectId }, key: field }
  const query: unknown = Object.freeze({ ...options, ...asked, where: { ...options.where, $relatedTo } })
  return query as Query<TargetOf<Name, Field>>
}
