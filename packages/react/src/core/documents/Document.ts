import type { Acl } from '@countersign/protocol'
import type { ClassName, FieldsOf } from './Register.ts'
import type { Pointer } from './values/FieldTypes.ts'

/** Anything that names an object: a pointer, or the object as it was read. */
export type Ref<Name extends string = string> = {
  readonly __type: 'Pointer' | 'Object'
  readonly className: Name
  readonly objectId: string
}

/** What every object has. */
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
export type Document<
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
export type Found<Name extends ClassName, Include extends string, Keys extends string, Left extends string> = Document<
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

/** What stands in a pointer's place once its object was read along; nothing, if it is gone or not for the reader. */
type Included<Value, Include extends string> =
  Value extends Pointer<infer Name>
    ? (Name extends ClassName ? Document<Name, Include> : Value) | undefined
    : Value extends readonly Pointer<infer Name>[]
      ? readonly (Name extends ClassName ? Document<Name, Include> : Pointer<Name>)[]
      : Value
