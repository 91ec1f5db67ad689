import { CountersignError, type WireChanges, type WireValue } from '@countersign/protocol'
import { describeType, type FieldType } from './ClassSchema.ts'
import { checkFieldName } from './fieldNames.ts'
import { inferFieldType } from './inferFieldType.ts'

/** One change of one field, or of a place inside it (`path`, from a dotted key). */
export type Change = { field: string; path: string[] } & (
  | { kind: 'set'; value: WireValue }
  | { kind: 'delete' }
  | { kind: 'increment'; amount: number }
  | { kind: 'add' | 'addUnique' | 'remove'; objects: WireValue[] }
)

/** Reads what a client wants changed; refuses what is not well formed. */
export function readChanges(changes: WireChanges): Change[] {
  return Object.entries(changes).map(([key, value]) => {
    const [field = '', ...path] = key.split('.')
    checkFieldName(field)
    if (path.some((part) => part === '')) throw new CountersignError('InvalidKeyName', `Invalid field name: ${key}.`)
    return { field, path, ...readChange(value as WireValue) }
  })
}

/** The types that the changes ask of their fields. */
export function typesOf(changes: Change[]): Map<string, FieldType> {
  const types = new Map<string, FieldType>()
  for (const change of changes) {
    const type = typeOf(change)
    const other = types.get(change.field)
    if (type && other && describeType(type) !== describeType(other)) {
      throw new CountersignError(
        'IncorrectType',
        `${change.field} is changed as ${describeType(other)} and as ${describeType(type)} at once.`,
      )
    }
    if (type) types.set(change.field, type)
  }
  return types
}

/** The value that a change makes where nothing was before: what a create stores. */
export function initialValue(change: Change): WireValue | undefined {
  switch (change.kind) {
    case 'set':
      return change.value
    case 'increment':
      return change.amount
    case 'add':
      return change.objects
    case 'addUnique':
      return change.objects.filter((object, index, all) => all.findIndex((other) => same(other, object)) === index)
    case 'remove':
      return []
    case 'delete':
      return undefined
  }
}

function typeOf(change: Change): FieldType | undefined {
  if (change.path.length > 0) return { type: /^\d+$/.test(change.path[0] ?? '') ? 'Array' : 'Object' }
  if (change.kind === 'set') return inferFieldType(change.value)
  if (change.kind === 'increment') return { type: 'Number' }
  return change.kind === 'delete' ? undefined : { type: 'Array' }
}

type OperationOnWire = { __op: unknown; amount?: unknown; objects?: unknown }

function readChange(value: WireValue) {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, '__op')) {
    checkNestedKeys(value)
    return { kind: 'set' as const, value }
  }
  const operation = value as OperationOnWire
  switch (operation.__op) {
    case 'Delete':
      return { kind: 'delete' as const }
    case 'Increment':
      if (!Number.isFinite(operation.amount))
        throw new CountersignError('InvalidJson', 'incrementing must provide a number')
      return { kind: 'increment' as const, amount: operation.amount as number }
    case 'SetOnInsert':
      checkNestedKeys(operation.amount as WireValue)
      return { kind: 'set' as const, value: operation.amount as WireValue }
    case 'Add':
      return { kind: 'add' as const, objects: readObjects(operation, 'adding') }
    case 'AddUnique':
      return { kind: 'addUnique' as const, objects: readObjects(operation, 'adding') }
    case 'Remove':
      return { kind: 'remove' as const, objects: readObjects(operation, 'removing') }
  }
  throw new CountersignError(
    'CommandUnavailable',
    `The ${String(operation.__op).slice(0, 50)} operation is not supported here.`,
  )
}

function readObjects(operation: OperationOnWire, doing: string): WireValue[] {
  if (!Array.isArray(operation.objects))
    throw new CountersignError('InvalidJson', `objects to ${doing === 'adding' ? 'add' : 'remove'} must be an array`)
  checkNestedKeys(operation.objects)
  return operation.objects
}

function checkNestedKeys(value: WireValue): void {
  if (value === null || typeof value !== 'object') return
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && /[$.]/.test(key)) {
      throw new CountersignError('InvalidNestedKey', "Nested keys should not contain the '$' or '.' characters")
    }
    checkNestedKeys(inner as WireValue)
  }
}

function same(one: WireValue, other: WireValue): boolean {
  if (one === other) return true
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false
  const keys = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(Reflect.get(one, key), Reflect.get(other, key)))
  )
}
