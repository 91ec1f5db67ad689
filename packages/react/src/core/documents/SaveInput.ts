import type { AnyChanges, Changes, NewFields } from './Changes.ts'
import type { Ref } from './Document.ts'
import type { ClassName } from './Register.ts'

/** One of many to save: a new object of a class, or changes of one that is there. */
export type SaveInput<Name extends ClassName = ClassName> = Name extends ClassName
  ?
      | { readonly className: Name; readonly fields: NewFields<Name> }
      | { readonly object: Ref<Name>; readonly changes: Changes<Name> }
  : never

/** The same, before the types were checked. */
export type AnySaveInput =
  | { readonly className: string; readonly fields: AnyChanges }
  | { readonly object: Ref; readonly changes: AnyChanges }
