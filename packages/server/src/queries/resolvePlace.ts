import { CountersignError } from '@countersign/protocol'
import type { ClassSchema, FieldType } from '../classes/ClassSchema.ts'
import type { Place } from './Condition.ts'

/** What a name of a query may look like. */
const pattern = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*$/
const deepest = 20

/** What every object has besides its fields. */
const baseFields = new Map<string, FieldType>([
  ['objectId', { type: 'String' }],
  ['createdAt', { type: 'Date' }],
  ['updatedAt', { type: 'Date' }],
])

/** Refuses a name that no field can have (105). Answers its parts. */
export function readName(name: string, what = 'key name'): [field: string, ...path: string[]] {
  const parts = name.split('.')
  if (
    !pattern.test(name) ||
    parts.length > deepest ||
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

/** Whether the place lies in JSON, where each value has a type of its own. */
export function isJson({ type, path }: Place): boolean {
  return path.length > 0 || type === 'Array' || type === 'Object'
}
