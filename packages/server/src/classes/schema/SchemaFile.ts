import type { ClassPermissions, WireValue } from '@countersign/protocol'
import type { FieldTypeName } from '../ClassSchema.ts'

type PlainType = Exclude<FieldTypeName, 'Pointer'>

/** A field: the name of its type, or with options; pointers and relations name the class that they lead to. */
export type FieldDefinition =
  | PlainType
  | { type: PlainType; required?: boolean; defaultValue?: WireValue }
  | { type: 'Pointer'; targetClass: string; required?: boolean; defaultValue?: WireValue }
  | { type: 'Relation'; targetClass: string }

/** Fields with their direction, or `text` for full-text search. `unique: true` beside them keeps values apart. */
export type IndexDefinition = { [field: string]: 1 | -1 | 'text' | boolean }

/** What a class shall be. Permissions or indexes that are left out stay as they are. */
export type ClassDefinition = {
  fields?: { [name: string]: FieldDefinition }
  classLevelPermissions?: ClassPermissions
  indexes?: { [name: string]: IndexDefinition }
}

/** Every class of the application by its name. */
export type SchemaFile = { [className: string]: ClassDefinition }
