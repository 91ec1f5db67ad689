import type { ClassSchema, FieldTypeName } from '../../classes/ClassSchema.ts'
import { joinTableName } from '../../classes/names.ts'
import type { Context } from '../../context/Context.ts'

export type ReadableTable = { name: string; columns: { name: string; type: string }[] }

/** Fields that may hold a secret, in any class. */
const secretFields = new Set(['password', 'authData', 'sessionToken', 'deviceToken', 'GCMSenderId'])

const columnTypes: { [Type in FieldTypeName]: string } = {
  String: 'text',
  Number: 'double precision',
  Boolean: 'boolean',
  Date: 'timestamptz',
  Object: 'jsonb',
  Array: 'jsonb',
  GeoPoint: 'point',
  File: 'jsonb',
  Bytes: 'bytea',
  Polygon: 'jsonb',
  Pointer: 'text',
}

/** Tables of classes and relations, with the columns that a query may read. */
export function listReadableTables({ classes }: Context): ReadableTable[] {
  return classes
    .list()
    .filter(({ source, distributed, dropped }) => !source && !distributed && !dropped)
    .flatMap(describeTables)
}

function describeTables({ className, fields, relations }: ClassSchema): ReadableTable[] {
  const named = [...fields]
    .filter(([name]) => !name.startsWith('_') && !secretFields.has(name))
    .map(([name, { type }]) => ({ name, type: columnTypes[type] }))
  const own = ['objectId', 'createdAt', 'updatedAt'].map((name) => ({
    name,
    type: name === 'objectId' ? 'text' : 'timestamptz',
  }))
  const joins = [...relations.keys()].map((field) => ({
    name: joinTableName(className, field),
    columns: ['owningId', 'relatedId'].map((name) => ({ name, type: 'text' })),
  }))
  return [{ name: className, columns: [...own, ...named] }, ...joins]
}
