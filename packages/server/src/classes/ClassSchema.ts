import type { ClassPermissions, WireValue } from '@countersign/protocol'
import { type Fragment, sql } from '../db/sql.ts'

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

/** Source of a read-only class, instead of a table. */
export type ClassSource = {
  /** A select in parentheses, with a column for each field and those that every table has. */
  rows: Fragment
  /** The chains that the rows are from, and the fields with addresses: who linked one of these reads the row. */
  chains: readonly number[]
  owners: readonly string[]
  /** Everyone reads all of them. */
  isPublic: boolean
  /** True if live queries and hooks receive new rows. */
  isLive: boolean
  /** The class without which there are no rows. */
  needs?: string
}

/** A class: a table of its own with typed columns that a person can read in SQL. */
export type ClassSchema = {
  className: string
  /** Fields stored in a column of their own. */
  fields: ReadonlyMap<string, FieldType>
  /** Relations, by field, with the class that they lead to. Each is a join table. */
  relations: ReadonlyMap<string, string>
  /** Absent: everyone may do everything that the access lists of the objects allow. */
  permissions?: ClassPermissions
  indexes: ReadonlyMap<string, ClassIndex>
  /** The operator dropped it, but the server cannot do without it: not shown while it is empty. */
  dropped?: true
  /** Citus spreads its objects over several servers. Writes to it log their changes themselves. */
  distributed?: true
  /** Absent for a class with a table of its own. */
  source?: ClassSource
  /** Grows with each change, so that a prepared statement never meets another set of columns. */
  version: number
}

/** A class without anything, before it is made. */
export const emptySchema = (className: string): ClassSchema => ({
  className,
  fields: new Map(),
  relations: new Map(),
  indexes: new Map(),
  version: 0,
})

/** FROM clause for queries of the class. */
export const tableOf = ({ className, source, distributed }: ClassSchema): Fragment =>
  source?.rows ?? (distributed ? shardsOf(className) : sql.table(className))

/** Table of a distributed class. */
export const shardsOf = (className: string): Fragment => sql`countersign_shards.${sql.id(className)}`

/** `Number`, or `Pointer<_User>`: how errors name a type. */
export function describeType(field: FieldType): string {
  return field.targetClass ? `${field.type}<${field.targetClass}>` : field.type
}

/** A class as the database keeps it. Lists of pairs, not objects: a field may be called anything an object has by birth. */
export type ClassRow = {
  className: string
  fields: [name: string, field: { type: string; targetClass?: string }][]
  permissions: ClassPermissions | null
  indexes: [name: string, index: { fields: [string, 1 | -1 | 'text'][]; unique: boolean }][]
  dropped: boolean
  /** Absent in backups of earlier versions. */
  distributed?: boolean
  version: number
}

export const classColumns = sql`"className", fields, permissions, indexes, dropped, distributed, version`

export function decodeClass(row: ClassRow): ClassSchema {
  const isRelation = ([, field]: ClassRow['fields'][number]) => field.type === 'Relation'
  return {
    className: row.className,
    fields: new Map(row.fields.filter((field) => !isRelation(field)) as [string, FieldType][]),
    relations: new Map(row.fields.filter(isRelation).map(([name, field]) => [name, field.targetClass ?? ''])),
    ...(row.permissions && { permissions: row.permissions }),
    indexes: new Map(row.indexes.map(([name, { fields, unique }]) => [name, { fields: new Map(fields), unique }])),
    ...(row.dropped && { dropped: true }),
    ...(row.distributed && { distributed: true }),
    version: row.version,
  }
}

export function encodeClass({ fields, relations, indexes }: ClassSchema): Pick<ClassRow, 'fields' | 'indexes'> {
  return {
    fields: [
      ...fields,
      ...[...relations].map(([name, targetClass]): ClassRow['fields'][number] => [
        name,
        { type: 'Relation', targetClass },
      ]),
    ],
    indexes: [...indexes].map(([name, index]: [string, ClassIndex]) => [
      name,
      { fields: [...index.fields], unique: index.unique },
    ]),
  }
}
