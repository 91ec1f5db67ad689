import { CountersignError } from '@countersign/protocol'
import { quote, tableOf } from '../db/createBindings.ts'
import type { ClassIndex, ClassSchema, FieldTypeName } from './ClassSchema.ts'
import { shortenName } from './shortenName.ts'
import { textVector } from './textVector.ts'

/** The index in the database. One colon: two are the server's own. */
export function indexName(className: string, name: string): string {
  return shortenName(`${className}:${name}`)
}

const jsonTypes = new Set<FieldTypeName>(['Array', 'Object', 'File', 'Polygon'])
const defaultTypes = new Map<string, FieldTypeName>([
  ['objectId', 'String'],
  ['createdAt', 'Date'],
  ['updatedAt', 'Date'],
])

/** The statement that makes an index; the kind of index follows from the types of the fields. */
export function indexStatement(schema: ClassSchema, name: string, index: ClassIndex): string {
  const on = `index ${quote(indexName(schema.className, name))} on ${tableOf(schema.className)}`
  const entries = [...index.fields]
  if (entries.some(([, direction]) => direction === 'text')) return `create ${on} ${textIndex(schema, name, index)}`
  const types = entries.map(([field]) => typeOf(schema, name, field))
  const special = types.findIndex((type) => type === 'GeoPoint' || jsonTypes.has(type))
  if (special < 0) {
    const columns = entries.map(([field, direction]) =>
      // Absent values stand first, as in the order of queries; read backwards the same index serves the other way.
      direction === 1 ? `${quote(field)} nulls first` : `${quote(field)} desc nulls last`,
    )
    return `create ${index.unique ? 'unique ' : ''}${on} (${columns.join(', ')})`
  }
  const [field = '', type] = [entries[special]?.[0], types[special]]
  if (entries.length > 1) refuse(name, `${field} is of type ${type}, which is indexed alone`)
  if (index.unique) refuse(name, `${field} is of type ${type}, which cannot be unique`)
  if (type === 'GeoPoint') return `create ${on} using gist (${quote(field)})`
  return `create ${on} using gin (${quote(field)} jsonb_path_ops)`
}

function textIndex(schema: ClassSchema, name: string, { fields, unique }: ClassIndex): string {
  if (unique) refuse(name, 'an index for text search cannot be unique')
  const vectors = [...fields].map(([field, direction]) => {
    if (direction !== 'text') refuse(name, 'text search and order cannot share an index')
    if (typeOf(schema, name, field) !== 'String') refuse(name, `${field} is not of type String`)
    return `(${textVector(quote(field))})`
  })
  return `using gin (${vectors.join(', ')})`
}

function typeOf(schema: ClassSchema, name: string, field: string): FieldTypeName {
  const type = schema.fields.get(field)?.type ?? defaultTypes.get(field)
  if (!type) refuse(name, `${field} is no field of ${schema.className} that can be indexed`)
  return type
}

function refuse(name: string, reason: string): never {
  throw new CountersignError('InvalidQuery', `The index ${name} cannot be made: ${reason}.`)
}
