import { CountersignError, type WireValue } from '@countersign/protocol'
import { describeType, type FieldType, type FieldTypeName, fieldTypes } from '../ClassSchema.ts'
import { inferFieldType } from '../inferFieldType.ts'
import { checkSchemaName } from './checkSchemaName.ts'

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
