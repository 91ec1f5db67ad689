import { CountersignError, type FieldRecord, type WireFields, type WireValue } from '@countersign/protocol'
import type { ClassIndex, ClassSchema } from '../ClassSchema.ts'
import type { ClassStep } from '../ClassStep.ts'
import { isDelete } from './planFields.ts'

const pattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/
const mostIndexes = 64
/** PostgreSQL takes no more columns than this into one index. */
const mostColumns = 32

/** The steps that bring the indexes of a class to what is asked. `fields` is what the class has then. */
export function planIndexes(
  current: ClassSchema,
  fields: { [name: string]: FieldRecord },
  asked: WireFields,
): ClassStep[] {
  const steps = Object.entries(asked).map(([name, value]): ClassStep => {
    if (!isDelete(value)) return { kind: 'addIndex', name, index: readAddition(current, fields, name, value) }
    if (!current.indexes.has(name)) refuse(`Index ${name.slice(0, 100)} does not exist, cannot delete.`)
    return { kind: 'dropIndex', name }
  })
  const count = steps.reduce((sum, { kind }) => sum + (kind === 'addIndex' ? 1 : -1), current.indexes.size)
  if (count > mostIndexes) {
    throw new CountersignError('ExceededQuota', `A class may have ${mostIndexes} indexes at most.`)
  }
  return steps
}

function readAddition(
  current: ClassSchema,
  fields: { [name: string]: FieldRecord },
  name: string,
  value: WireValue,
): ClassIndex {
  if (!pattern.test(name)) refuse(`Invalid index name: ${name.slice(0, 100)}.`)
  if (current.indexes.has(name)) refuse(`Index ${name} exists, cannot update.`)
  const index = readIndex(name, value)
  for (const field of index.fields.keys()) {
    if (!Object.hasOwn(fields, field)) refuse(`Field ${field.slice(0, 100)} does not exist, cannot add index.`)
  }
  return index
}

/** `{ field: 1 }`, `{ field: -1 }` or `{ field: 'text' }`; `unique: true` beside them is no field but our own addition. */
export function readIndex(name: string, value: WireValue): ClassIndex {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) refuse(`Index ${name} must be an object.`)
  const entries = Object.entries(value as WireFields)
  const fields = entries.filter(([field, direction]) => field !== 'unique' || typeof direction !== 'boolean')
  if (fields.length === 0 || fields.length > mostColumns) refuse(`Index ${name} must name 1 to ${mostColumns} fields.`)
  const unique = entries.some(([field, flag]) => field === 'unique' && flag === true)
  return { fields: new Map(fields.map(([field, direction]) => [field, readDirection(name, direction)])), unique }
}

function readDirection(name: string, direction: WireValue): 1 | -1 | 'text' {
  if (direction === 1 || direction === -1 || direction === 'text') return direction
  // How MongoDB calls an index of places; the field's type says as much.
  if (direction === '2d' || direction === '2dsphere') return 1
  return refuse(`Index ${name}: a field is followed by 1, -1 or "text".`)
}

function refuse(message: string): never {
  throw new CountersignError('InvalidQuery', message)
}
