import { CountersignError, type DocumentPlace } from '@countersign/protocol'
import type { ClassSchema, FieldType, FieldTypeName } from '../classes/ClassSchema.ts'

/** Place of a condition in a class. */
export type Place = DocumentPlace<FieldTypeName>

/** Pattern of names in a query. */
const pattern = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*$/

const deepestPath = 20

/** Fields of every document besides its own. */
const baseFields = new Map<string, FieldType>([
  ['objectId', { type: 'String' }],
  ['createdAt', { type: 'Date' }],
  ['updatedAt', { type: 'Date' }],
])

/** Rejects a name that no field can have (105). Returns its parts. */
export function readName(name: string, what = 'key name'): [field: string, ...path: string[]] {
  const parts = name.split('.')
  if (
    !pattern.test(name) ||
    parts.length > deepestPath ||
    parts.some((part) => part === 'constructor' || part === '__proto__')
  )
    throw new CountersignError('InvalidKeyName', `Invalid ${what}: ${name.slice(0, 100)}.`)
  return parts as [string, ...string[]]
}

/** The place that a name stands for; `undefined` where the class has no such column, or nothing can lie there. */
export function resolvePlace(schema: ClassSchema, [field, ...path]: readonly [string, ...string[]]): Place | undefined {
  const known = schema.fields.get(field) ?? baseFields.get(field)
  if (!known) return undefined
  if (path.length > 0 && known.type !== 'Object' && known.type !== 'Array' && known.type !== 'File') return undefined
  return { field, type: known.type, path, ...(known.targetClass !== undefined && { targetClass: known.targetClass }) }
}
