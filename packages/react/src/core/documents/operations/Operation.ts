import type { Pointer } from '../values/FieldTypes.ts'

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
