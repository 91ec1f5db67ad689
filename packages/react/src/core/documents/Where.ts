import type { Ref } from './Document.ts'
import type { ClassName, FieldsOf } from './Register.ts'
import type { GeoPoint, Pointer, Polygon, Relation } from './values/FieldTypes.ts'

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

/** What a field is compared with: a list with its items, too; pointers and relations with whatever names an object. */
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
