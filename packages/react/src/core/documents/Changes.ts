import type { Acl } from '@countersign/protocol'
import type { Ref } from './Document.ts'
import type { Increment, ListOperation, RelationOperation, Unset } from './operations/Operation.ts'
import type { ClassName, FieldsOf } from './Register.ts'
import type { Pointer, Relation } from './values/FieldTypes.ts'

/** What an object is made of. */
export type NewFields<Name extends ClassName = ClassName> = string extends keyof FieldsOf<Name>
  ? AnyChanges
  : {
      readonly [Field in keyof FieldsOf<Name> as FieldsOf<Name>[Field] extends Relation | undefined
        ? never
        : Field]: Settable<FieldsOf<Name>[Field]>
    } & {
      readonly [Field in keyof FieldsOf<Name> as FieldsOf<Name>[Field] extends Relation | undefined
        ? Field
        : never]?: Operations<NonNullable<FieldsOf<Name>[Field]>>
    } & { readonly ACL?: Acl }

/** New values by field, or operations on what is there. A path such as `settings.theme` reaches into an object. */
export type Changes<Name extends ClassName = ClassName> = string extends keyof FieldsOf<Name>
  ? AnyChanges
  : {
      readonly [Field in keyof FieldsOf<Name>]?:
        | Settable<FieldsOf<Name>[Field]>
        | Operations<NonNullable<FieldsOf<Name>[Field]>>
        | Unset
    } & { readonly ACL?: Acl | Unset } & { readonly [path: `${string}.${string}`]: unknown }

export type AnyChanges = { readonly [field: string]: unknown }

type Settable<Value> =
  Value extends Pointer<infer Name>
    ? Ref<Name>
    : Value extends readonly Pointer<infer Name>[]
      ? readonly Ref<Name>[]
      : Value

type Operations<Value> = Value extends number
  ? Increment
  : Value extends readonly (infer Item)[]
    ? ListOperation<Settable<Item>>
    : Value extends Relation<infer Name>
      ? RelationOperation<Name>
      : never
