import { CountersignError, type WirePointer, type WireValue } from '@countersign/protocol'
import type { ChangeKind } from './Change.ts'
import { isClassName } from './classNames.ts'
import { inferFieldType } from './inferFieldType.ts'

type OnWire = { [key: string]: WireValue }

/** What one value asks for; a batch of operations asks for several things. */
export function readOperations(value: WireValue): ChangeKind[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [readSet(value)]
  const record = value as OnWire
  // Read back from the server and sent again as it came: it names the relation and changes nothing.
  if (Object.hasOwn(record, '__type') && record.__type === 'Relation') {
    return [{ kind: 'relate', targetClass: readRelation(record), objects: [] }]
  }
  if (!Object.hasOwn(record, '__op')) return [readSet(value)]
  if (record.__op !== 'Batch') return [readOperation(record)]
  if (!Array.isArray(record.ops)) throw new CountersignError('InvalidJson', 'ops of a Batch must be an array')
  return record.ops.map((operation) => {
    const one = operation as OnWire
    if (one?.__op !== 'AddRelation' && one?.__op !== 'RemoveRelation') {
      throw new CountersignError('InvalidJson', 'A Batch may hold only AddRelation and RemoveRelation operations.')
    }
    return readOperation(one)
  })
}

function readSet(value: WireValue): ChangeKind {
  checkNestedKeys(value)
  return { kind: 'set', value }
}

function readOperation(operation: OnWire): ChangeKind {
  switch (operation.__op) {
    case 'Delete':
      return { kind: 'delete' }
    case 'Increment':
      if (!Number.isFinite(operation.amount))
        throw new CountersignError('InvalidJson', 'incrementing must provide a number')
      return { kind: 'increment', amount: operation.amount as number }
    case 'SetOnInsert':
      checkNestedKeys(operation.amount ?? null)
      return { kind: 'setOnInsert', value: operation.amount ?? null }
    case 'Add':
      return { kind: 'add', objects: readObjects(operation, 'add') }
    case 'AddUnique':
      return { kind: 'addUnique', objects: readObjects(operation, 'add') }
    case 'Remove':
      return { kind: 'remove', objects: readObjects(operation, 'remove') }
    case 'AddRelation':
      return { kind: 'relate', ...readPointers(operation, 'add') }
    case 'RemoveRelation':
      return { kind: 'unrelate', ...readPointers(operation, 'remove') }
  }
  throw new CountersignError(
    'CommandUnavailable',
    `The ${String(operation.__op).slice(0, 50)} operation is not supported here.`,
  )
}

function readObjects(operation: OnWire, verb: 'add' | 'remove'): WireValue[] {
  if (!Array.isArray(operation.objects))
    throw new CountersignError('InvalidJson', `objects to ${verb} must be an array`)
  checkNestedKeys(operation.objects)
  return operation.objects
}

function readPointers(operation: OnWire, verb: 'add' | 'remove') {
  const objects = readObjects(operation, verb).map((object): WirePointer => {
    const field = object !== null && typeof object === 'object' ? inferFieldType(object) : undefined
    if (field?.type !== 'Pointer') throw new CountersignError('IncorrectType', 'A relation holds pointers alone.')
    const { className, objectId } = object as WirePointer
    return { __type: 'Pointer', className, objectId }
  })
  const targetClass = objects[0]?.className
  if (objects.some(({ className }) => className !== targetClass)) {
    throw new CountersignError('IncorrectType', 'A relation holds objects of one class.')
  }
  return { targetClass, objects }
}

function readRelation({ className }: OnWire): string {
  if (typeof className === 'string' && isClassName(className)) return className
  throw new CountersignError('IncorrectType', 'This is not a valid Relation')
}

function checkNestedKeys(value: WireValue): void {
  // JSON has numbers that are larger than any that can be counted with.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new CountersignError('InvalidJson', 'A number is out of range.')
  }
  if (value === null || typeof value !== 'object') return
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && /[$.]/.test(key)) {
      throw new CountersignError('InvalidNestedKey', "Nested keys should not contain the '$' or '.' characters")
    }
    checkNestedKeys(inner as WireValue)
  }
}
