import type { ClassPermissions } from '@countersign/protocol'
import type { ClassIndex, ClassSchema, FieldType } from './ClassSchema.ts'

/** A class as the database keeps it. Lists of pairs, not objects: a field may be called anything an object has by birth. */
export type ClassRow = {
  className: string
  fields: [name: string, field: { type: string; targetClass?: string }][]
  permissions: ClassPermissions | null
  indexes: [name: string, index: { fields: [string, 1 | -1 | 'text'][]; unique: boolean }][]
  dropped: boolean
  version: number
}

export const classColumns = '"className", fields, permissions, indexes, dropped, version'

export function decodeClass(row: ClassRow): ClassSchema {
  const isRelation = ([, field]: ClassRow['fields'][number]) => field.type === 'Relation'
  return {
    className: row.className,
    fields: new Map(row.fields.filter((field) => !isRelation(field)) as [string, FieldType][]),
    relations: new Map(row.fields.filter(isRelation).map(([name, field]) => [name, field.targetClass ?? ''])),
    ...(row.permissions && { permissions: row.permissions }),
    indexes: new Map(row.indexes.map(([name, { fields, unique }]) => [name, { fields: new Map(fields), unique }])),
    ...(row.dropped && { dropped: true }),
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
