import type { Acl } from '@countersign/protocol'
import type { ClassName, FieldsOf } from './Register.ts'

/** Reference to a document: a pointer, or the document itself. */
export type Ref<Name extends string = string> = {
  readonly __type: 'Pointer' | 'Object'
  readonly className: Name
  readonly objectId: string
}

/** Fields of every document. */
type Own<Name extends string> = {
  readonly __type: 'Object'
  readonly className: Name
  readonly objectId: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly ACL?: Acl
}

/**
 * An object of a class as it was read: a frozen snapshot. `Include` names the pointers that were read along, `Keys` and
 * `Left` the fields that were asked for and left out.
 */
export type Doc<
  Name extends ClassName = ClassName,
  Include extends string = never,
  Keys extends string = string,
  Left extends string = never,
> = Own<Name> & {
  readonly [Field in keyof FieldsOf<Name> as Chosen<Field, Head<Keys>, Left>]: Field extends Head<Include>
    ? Included<FieldsOf<Name>[Field], Tail<Include, Field>>
    : '*' extends Include
      ? Included<FieldsOf<Name>[Field], never>
      : FieldsOf<Name>[Field]
}

/** An object as a query gives it that asks for these pointers and fields; for all fields, if it names none. */
export type Found<Name extends ClassName, Include extends string, Keys extends string, Left extends string> = Doc<
  Name,
  Include,
  [Keys] extends [never] ? string : Keys,
  Left
>

type Chosen<Field, Keys extends string, Left extends string> = string extends Field
  ? Field
  : Field extends Left
    ? never
    : string extends Keys
      ? Field
      : Field extends Keys
        ? Field
        : never

type Head<Path extends string> = Path extends `${infer First}.${string}` ? First : Path

type Tail<Path extends string, Field> = Path extends `${infer First}.${infer Rest}`
  ? First extends Field
    ? Rest
    : never
  : never

/** Included document in a pointer's place; absent if it is deleted or not readable. */
type Included<Value, Include extends string> =
  Value extends Pointer<infer Name>
    ? (Name extends ClassName ? Doc<Name, Include> : Value) | undefined
    : Value extends readonly Pointer<infer Name>[]
      ? readonly (Name extends ClassName ? Doc<Name, Include> : Pointer<Name>)[]
      : Value

/** Names an object without holding it. */
export type Pointer<Name extends string = string> = {
  readonly __type: 'Pointer'
  readonly className: Name
  readonly objectId: string
}

/** Says that a field is a relation, and to which class. `relation` gives the query of its members. */
export type Relation<Name extends string = string> = { readonly __type: 'Relation'; readonly className: Name }

export type GeoPoint = { readonly __type: 'GeoPoint'; readonly latitude: number; readonly longitude: number }

/** Corners as `[latitude, longitude]`. */
export type Polygon = { readonly __type: 'Polygon'; readonly coordinates: readonly (readonly [number, number])[] }

export type Bytes = { readonly __type: 'Bytes'; readonly base64: string }

/** A file that the server keeps. */
export type StoredFile = {
  readonly __type: 'File'
  readonly name: string
  readonly url?: string
  /** Gateway URL and content id, if it was pinned to IPFS. */
  readonly ipfs?: string
  readonly hash?: string
}
