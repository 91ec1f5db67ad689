import type { Document } from './Document.ts'
import type { ClassName, FieldsOf } from './Register.ts'
import type { Pointer } from './values/FieldTypes.ts'
import type { Where } from './Where.ts'

/** A question to a class. Make it with `query`; it holds no data and can be asked any number of times. */
export type Query<Name extends ClassName = ClassName, Item = Document<Name>> = {
  readonly className: Name
  readonly where?: { readonly [field: string]: unknown }
  readonly order?: readonly string[]
  readonly limit?: number
  readonly skip?: number
  readonly include?: readonly string[]
  readonly keys?: readonly string[]
  readonly excludeKeys?: readonly string[]
  readonly redirectClassNameForKey?: string
  /** What is found; in the types alone. */
  readonly '~item'?: Item
}

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
