import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import { type ClassSchema, describeType, type FieldType } from '../ClassSchema.ts'
import type { ClassStep } from '../ClassStep.ts'
import { isFieldName } from '../fieldNames.ts'
import { sameValue } from '../sameValue.ts'
import { isSystemField } from '../systemFields.ts'
import { fieldsOf, isShownField } from './encodeSchema.ts'
import { type ReadField, readField } from './readField.ts'

/** The steps that bring the fields of a class to what is asked: deletions first. */
export function planFields(current: ClassSchema, isNew: boolean, asked: WireFields): ClassStep[] {
  const deletions = Object.entries(asked).filter(([, value]) => isDelete(value))
  const additions = Object.entries(asked).filter(([, value]) => !isDelete(value))
  return [
    ...deletions.map(([name]) => planDeletion(current, name)),
    ...additions.flatMap(([name, value]) => planAddition(current, isNew, name, value)),
  ]
}

export function isDelete(value: WireValue): boolean {
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
