import type { Acl, WireOperation } from '@countersign/protocol'
import type { Pointer, Ref, Relation } from './Document.ts'
import type { FieldValue } from './FieldValue.ts'
import type { ClassName, FieldsOf, Register } from './Register.ts'

/** Fields of a new document. */
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

/** New values by field, or operations on existing values. A path such as `settings.theme` reaches into an object. */
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

/** One of many to save: a new object of a class, or changes of an existing one. */
export type SaveInput<Name extends ClassName = ClassName> = Name extends ClassName
  ?
      | { readonly className: Name; readonly fields: NewFields<Name> }
      | { readonly object: Ref<Name>; readonly changes: Changes<Name> }
  : never

/** The same, before the types were checked. */
export type AnySaveInput =
  | { readonly className: string; readonly fields: AnyChanges }
  | { readonly object: Ref; readonly changes: AnyChanges }

export type Increment = { readonly __op: 'Increment'; readonly amount: number }

export type ListOperation<Item = unknown> = {
  readonly __op: 'Add' | 'AddUnique' | 'Remove'
  readonly objects: readonly Item[]
}

export type RelationOperation<Name extends string = string> = {
  readonly __op: 'AddRelation' | 'RemoveRelation'
  readonly objects: readonly Pointer<Name>[]
}

export type Unset = { readonly __op: 'Delete' }

type Own = { readonly username?: string; readonly password?: string; readonly email?: string }

/**
 * Input of `saveUser`: new values (`null` is stored, `undefined` is ignored) or update operations. If the application
 * registers the fields of `_User`, only those, by their types.
 */
export type UserChanges = Register extends { classes: { _User: object } }
  ? Own & Omit<Changes<'_User'>, keyof Own>
  : AnyUserChanges

export type AnyUserChanges = Own & { readonly [field: string]: FieldValue | WireOperation | undefined }
