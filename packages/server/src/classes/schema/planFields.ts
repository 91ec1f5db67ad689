import { CountersignError, type FieldRecord, sameValue, type WireFields, type WireValue } from '@countersign/protocol'
import type { Config } from '../../config/Config.ts'
import type { Database } from '../../db/Database.ts'
import type { ClassStep } from '../applySteps.ts'
import {
  type ClassIndex,
  type ClassSchema,
  describeType,
  type FieldType,
  type FieldTypeName,
  fieldTypes,
} from '../ClassSchema.ts'
import { inferFieldType } from '../columns.ts'
import type { Classes } from '../createClasses.ts'
import { isClassName, isFieldName } from '../names.ts'
import { isSystemField } from '../systemFields.ts'
import { fieldsOf, isShownField } from './encodeSchema.ts'

/** Parts of the context that the schema API uses. The context itself is a later room and cannot be imported here. */
export type Parts = { db: Database; classes: Classes; config: Pick<Config, 'allowCustomObjectId'> }

/** Pattern of user ids. If clients choose ids, anything without a colon. */
export function userIdPattern({ allowCustomObjectId }: Parts['config']): RegExp {
  return allowCustomObjectId ? /^[^:*\s\p{Cc}]{1,128}$/u : /^[A-Za-z0-9]{10}$/
}

/** Of a class that the schema API names. */
export function checkSchemaName(className: string): void {
  if (isClassName(className)) return
  throw new CountersignError(
    'InvalidClassName',
    `Invalid classname: ${className.slice(0, 100)}, classnames can only have alphanumeric characters and _, and must start with an alpha character `,
  )
}

/** Steps to the requested fields of a class: deletions first. */
export function planFields(current: ClassSchema, isNew: boolean, asked: WireFields): ClassStep[] {
  const deletions = Object.entries(asked).filter(([, value]) => isDelete(value))
  const additions = Object.entries(asked).filter(([, value]) => !isDelete(value))
  return [
    ...deletions.map(([name]) => planDeletion(current, name)),
    ...additions.flatMap(([name, value]) => planAddition(current, isNew, name, value)),
  ]
}

function isDelete(value: WireValue): boolean {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && Reflect.get(value, '__op') === 'Delete'
}

function planDeletion(current: ClassSchema, name: string): ClassStep {
  const { className } = current
  if (isShownField(className, name) || isSystemField(className, name)) {
    throw new CountersignError('FieldMayNotChange', `field ${name} cannot be changed`)
  }
  if (current.relations.has(name)) return { kind: 'dropRelation', name }
  if (current.fields.has(name)) return { kind: 'dropField', name }
  throw new CountersignError('InvalidSchemaOperation', `Field ${name.slice(0, 100)} does not exist, cannot delete.`)
}

function planAddition(current: ClassSchema, isNew: boolean, name: string, value: WireValue): ClassStep[] {
  const { className } = current
  const own = isShownField(className, name) || isSystemField(className, name)
  if (own && isNew) throw new CountersignError('FieldMayNotChange', `field ${name} cannot be added`)
  const present = fieldsOf(current)[name]
  if (present && Object.hasOwn(fieldsOf(current), name)) {
    const type = value !== null && typeof value === 'object' ? Reflect.get(value, 'type') : undefined
    if (type !== present.type) {
      throw new CountersignError('InvalidSchemaOperation', `Field ${name} exists, cannot update.`)
    }
    if (isShownField(className, name)) return []
    return planChange(current, name, readField(className, name, value))
  }
  if (!isFieldName(name)) {
    throw new CountersignError('InvalidKeyName', `invalid field name: ${name.slice(0, 100)}`)
  }
  const read = readField(className, name, value)
  if (read.kind === 'relation') return [{ kind: 'addRelation', name, targetClass: read.targetClass }]
  return [{ kind: 'addField', name, field: read.field }]
}

function planChange(current: ClassSchema, name: string, read: ReadField): ClassStep[] {
  const { className } = current
  const before = current.fields.get(name)
  const was = before ? describeType(before) : `Relation<${current.relations.get(name)}>`
  const is = read.kind === 'field' ? describeType(read.field) : `Relation<${read.targetClass}>`
  if (was !== is) {
    throw new CountersignError(
      'IncorrectType',
      `schema mismatch for ${className}.${name}; expected ${was} but got ${is}`,
    )
  }
  if (!before || read.kind === 'relation' || sameOptions(before, read.field)) return []
  if (isSystemField(className, name)) {
    throw new CountersignError('FieldMayNotChange', `field ${name} cannot be changed`)
  }
  return [{ kind: 'changeField', name, field: read.field }]
}

function sameOptions(one: FieldType, other: FieldType): boolean {
  return (
    (one.required ?? false) === (other.required ?? false) &&
    sameValue(one.defaultValue ?? null, other.defaultValue ?? null)
  )
}

const pattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

const mostIndexes = 64

/** PostgreSQL takes no more columns than this into one index. */
const mostColumns = 32

/** Steps to the requested indexes of a class. `fields` are those after the change. */
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
    throw new CountersignError('ExceededQuota', `A class can have at most ${mostIndexes} indexes.`)
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
  if (fields.length === 0 || fields.length > mostColumns) refuse(`Index ${name} must have 1 to ${mostColumns} fields.`)
  const unique = entries.some(([field, flag]) => field === 'unique' && flag === true)
  return { fields: new Map(fields.map(([field, direction]) => [field, readDirection(name, direction)])), unique }
}

function readDirection(name: string, direction: WireValue): 1 | -1 | 'text' {
  if (direction === 1 || direction === -1 || direction === 'text') return direction
  // MongoDB's names for a geo index; the field's type determines it here.
  if (direction === '2d' || direction === '2dsphere') return 1
  return refuse(`Index ${name}: the value of a field must be 1, -1 or "text".`)
}

function refuse(message: string): never {
  throw new CountersignError('InvalidQuery', message)
}

export type ReadField = { kind: 'field'; field: FieldType } | { kind: 'relation'; targetClass: string }

const invalid = () => new CountersignError('InvalidJson', 'invalid JSON')

/** Reads the definition of a field: its type, the class that it leads to, its default, whether it is required. */
export function readField(className: string, name: string, value: WireValue): ReadField {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw invalid()
  const { type, targetClass, required, defaultValue } = value as { [key: string]: WireValue }
  if (typeof type !== 'string') throw invalid()
  const leads = type === 'Pointer' || type === 'Relation'
  if (!leads && !(fieldTypes as readonly string[]).includes(type)) {
    throw new CountersignError('IncorrectType', `invalid field type: ${type.slice(0, 100)}`)
  }
  const target = leads ? readTarget(type, targetClass) : undefined
  if (required !== undefined && typeof required !== 'boolean') {
    throw new CountersignError('InvalidJson', `required of ${name} must be true or false`)
  }
  if (type === 'Relation') {
    if (defaultValue !== undefined) refuseOption('default value', target)
    if (required) refuseOption('required', target)
    return { kind: 'relation', targetClass: target ?? '' }
  }
  const field: FieldType = { type: type as FieldTypeName, ...(target !== undefined && { targetClass: target }) }
  if (defaultValue !== undefined && defaultValue !== null) {
    checkDefault(className, name, field, defaultValue)
    field.defaultValue = defaultValue
  }
  if (required !== undefined) field.required = required
  return { kind: 'field', field }
}

function readTarget(type: string, targetClass: WireValue | undefined): string {
  if (targetClass === undefined || targetClass === null || targetClass === '') {
    throw new CountersignError('MissingRequiredField', `type ${type} needs a class name`)
  }
  if (typeof targetClass !== 'string') throw invalid()
  checkSchemaName(targetClass)
  return targetClass
}

function refuseOption(option: string, targetClass: string | undefined): never {
  throw new CountersignError('IncorrectType', `The '${option}' option is not applicable for Relation<${targetClass}>`)
}

function checkDefault(className: string, name: string, field: FieldType, value: WireValue): void {
  const given = inferFieldType(value)
  if (given && describeType(given) === describeType(field)) return
  throw new CountersignError(
    'IncorrectType',
    `schema mismatch for ${className}.${name} default value; expected ${describeType(field)} but got ${given ? describeType(given) : 'null'}`,
  )
}
