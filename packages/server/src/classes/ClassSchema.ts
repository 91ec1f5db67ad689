import type { WireValue } from '@countersign/protocol'

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

/** A class: a table of its own with typed columns that a person can read in SQL. */
export type ClassSchema = {
  className: string
  fields: ReadonlyMap<string, FieldType>
  /** Grows with each change, so that a prepared statement never meets another set of columns. */
  version: number
}

/** `Number`, or `Pointer<_User>`: how errors name a type. */
export function describeType(field: FieldType): string {
  return field.targetClass ? `${field.type}<${field.targetClass}>` : field.type
}
