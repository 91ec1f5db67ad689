import type { ClassPermissions, WireValue } from '@countersign/protocol'

export const fieldTypes = [
  'String',
  'Number',
  'Boolean',
  'Date',
  'Object',
  'Array',
  'GeoPoint',
  'File',
  'Bytes',
  'Polygon',
  'Pointer',
] as const

export type FieldTypeName = (typeof fieldTypes)[number]

/** The type of a field. A pointer names the class it points to. */
export type FieldType = { type: FieldTypeName; targetClass?: string; required?: boolean; defaultValue?: WireValue }

/** An index of the operator's: fields with their direction, or `text` for full-text search. */
export type ClassIndex = { fields: ReadonlyMap<string, 1 | -1 | 'text'>; unique: boolean }

/** A class: a table of its own with typed columns that a person can read in SQL. */
export type ClassSchema = {
  className: string
  /** What has a column. */
  fields: ReadonlyMap<string, FieldType>
  /** Relations, by field, with the class that they lead to. Each is a join table. */
  relations: ReadonlyMap<string, string>
  /** Absent: everyone may do everything that the access lists of the objects allow. */
  permissions?: ClassPermissions
  indexes: ReadonlyMap<string, ClassIndex>
  /** The operator dropped it, but the server cannot do without it: not shown while it is empty. */
  dropped?: true
  /** Grows with each change, so that a prepared statement never meets another set of columns. */
  version: number
}

/** `Number`, or `Pointer<_User>`: how errors name a type. */
export function describeType(field: FieldType): string {
  return field.targetClass ? `${field.type}<${field.targetClass}>` : field.type
}
