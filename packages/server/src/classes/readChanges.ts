import { CountersignError, type WireChanges, type WirePointer, type WireValue } from '@countersign/protocol'
import { showText } from '../encoding/showText.ts'
import type { Change, ChangeKind } from './Change.ts'
import { inferFieldType } from './columns.ts'
import { checkFieldName, defaultFieldNames, isClassName } from './names.ts'

/** Names that reach the prototype of an object. */
const prototypeNames = new Set(['__proto__', 'constructor', 'prototype'])

/** A class has 500 fields at most. */
const mostChanges = 1_000
const mostParts = 100
const mostOperations = 50

/** Reads what a client wants changed; refuses what is not well formed. Times, id and ACL are the caller's to take out. */
export function readChanges(changes: WireChanges): Change[] {
  const keys = Object.keys(changes)
  if (keys.length > mostChanges) {
    throw new CountersignError('InvalidJson', `A write can have at most ${mostChanges} fields.`)
  }
  const read: Change[] = []
  let hasParts = false
  for (const key of keys) {
    const [field = '', ...path] = key.includes('.') ? key.split('.') : [key]
    if (defaultFieldNames.has(field) || field === 'id') {
      throw new CountersignError('InvalidKeyName', `${field} is an invalid field name.`)
    }
    checkFieldName(field)
    if (path.length > 0) {
      hasParts = true
      checkPath(key, path)
    }
    const value = changes[key] as WireValue
    if (isOperation(value)) {
      for (const what of readOperations(value)) read.push(placed(key, { field, path, ...what } as Change))
    } else {
      checkNestedKeys(value)
      read.push({ field, path, kind: 'set', value })
    }
  }
  if (hasParts) checkParts(read)
  return read
}

function placed(key: string, change: Change): Change {
  if (change.path.length === 0 || (change.kind !== 'relate' && change.kind !== 'unrelate')) return change
  throw new CountersignError('InvalidKeyName', `Invalid field name: ${key}. A relation has no parts.`)
}

/** Each change inside a field encloses those before it, and the database reads them one inside the other. */
function checkParts(changes: Change[]): void {
  const parts = changes.filter(({ path }) => path.length > 0)
  if (parts.length <= mostParts && parts.filter(({ kind }) => kind !== 'set').length <= mostOperations) return
  throw new CountersignError(
    'InvalidJson',
    `A write can set at most ${mostParts} parts of fields and have at most ${mostOperations} operations. Write whole fields instead.`,
  )
}

function checkPath(key: string, path: string[]): void {
  if (path.some((part) => part === '')) {
    throw new CountersignError('InvalidKeyName', `Invalid field name: ${key.slice(0, 100)}.`)
  }
  const forbidden = path.find((part) => prototypeNames.has(part))
  if (forbidden) {
    throw new CountersignError('InvalidKeyName', `Prohibited keyword in request data: {"key":"${forbidden}"}.`)
  }
  if (path.some((part) => part.startsWith('$'))) {
    throw new CountersignError('InvalidNestedKey', "Nested keys should not contain the '$' or '.' characters")
  }
  // The database recurses for each level, and no real field is that deep.
  if (path.length > 100) throw new CountersignError('InvalidKeyName', 'A dotted name can have at most 100 parts.')
}

type OnWire = { [key: string]: WireValue }

/** Returns true for a value that says what to do, or that names a relation. */
function isOperation(value: WireValue): value is OnWire {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
  return Object.hasOwn(value, '__op') || (Object.hasOwn(value, '__type') && (value as OnWire).__type === 'Relation')
}

/** Reads the changes of one value; a batch of operations has several. */
function readOperations(record: OnWire): ChangeKind[] {
  // Read back from the server and sent again as it came: it names the relation and changes nothing.
  if (Object.hasOwn(record, '__type') && record.__type === 'Relation') {
    return [{ kind: 'relate', targetClass: readRelation(record), objects: [] }]
  }
  if (record.__op !== 'Batch') return [readOperation(record)]
  if (!Array.isArray(record.ops)) throw new CountersignError('InvalidJson', 'ops of a Batch must be an array')
  return record.ops.map((operation) => {
    const one = operation as OnWire
    if (one?.__op !== 'AddRelation' && one?.__op !== 'RemoveRelation') {
      throw new CountersignError('InvalidJson', 'A Batch operation can contain only AddRelation and RemoveRelation.')
    }
    return readOperation(one)
  })
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
    `The ${showText(operation.__op, 50)} operation is not supported here.`,
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
    if (field?.type !== 'Pointer') throw new CountersignError('IncorrectType', 'A relation can contain pointers only.')
    const { className, objectId } = object as WirePointer
    return { __type: 'Pointer', className, objectId }
  })
  const targetClass = objects[0]?.className
  if (objects.some(({ className }) => className !== targetClass)) {
    throw new CountersignError('IncorrectType', 'A relation can contain objects of one class only.')
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
