import { CountersignError } from '@countersign/protocol'
import type { Change } from './Change.ts'
import { describeType, type FieldType } from './ClassSchema.ts'
import { inferFieldType } from './inferFieldType.ts'

/** The types that the changes ask of their fields. */
export function typesOf(changes: Change[]): Map<string, FieldType> {
  const types = new Map<string, FieldType>()
  for (const change of changes) {
    const type = typeOf(change)
    const other = types.get(change.field)
    if (type && other && describeType(type) !== describeType(other)) {
      refuseBoth(change.field, describeType(other), describeType(type))
    }
    if (type) types.set(change.field, type)
  }
  return types
}

function refuseBoth(field: string, one: string, other: string): never {
  throw new CountersignError('IncorrectType', `${field} is changed as ${one} and as ${other} at once.`)
}

function typeOf(change: Change): FieldType | undefined {
  if (change.path.length > 0) return { type: /^\d+$/.test(change.path[0] ?? '') ? 'Array' : 'Object' }
  switch (change.kind) {
    case 'set':
    case 'setOnInsert':
      return inferFieldType(change.value)
    case 'increment':
      return { type: 'Number' }
    case 'delete':
    case 'relate':
    case 'unrelate':
      return undefined
    default:
      return { type: 'Array' }
  }
}
