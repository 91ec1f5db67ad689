import { CountersignError, valueKey, type WirePointer, type WireValue } from '@countersign/protocol'
import { describeType, type FieldType } from './ClassSchema.ts'
import { inferFieldType } from './columns.ts'

/** One change of one field, or of a place inside it (`path`, from a dotted key). */
export type Change = { field: string; path: string[] } & (
  | { kind: 'set'; value: WireValue }
  /** Only where the object is made. */
  | { kind: 'setOnInsert'; value: WireValue }
  | { kind: 'delete' }
  | { kind: 'increment'; amount: number }
  | { kind: 'add' | 'addUnique' | 'remove'; objects: WireValue[] }
  /** Pointers of one class; without any, the class may be unknown. */
  | { kind: 'relate'; targetClass: string | undefined; objects: WirePointer[] }
  | { kind: 'unrelate'; targetClass: string | undefined; objects: WirePointer[] }
)

/** A change without its place. */
export type ChangeKind = Change extends infer One ? (One extends Change ? Omit<One, 'field' | 'path'> : never) : never

/** Value of a change without a former value: what a create stores. */
export function initialValue(change: Change): WireValue | undefined {
  switch (change.kind) {
    case 'set':
    case 'setOnInsert':
      return change.value
    case 'increment':
      return change.amount
    case 'add':
      return change.objects
    case 'addUnique':
      return [...new Map(change.objects.map((object) => [valueKey(object), object])).values()]
    case 'remove':
      return []
    default:
      return undefined
  }
}

type Tree = { [key: string]: WireValue }

/** Values of a new document by field, with dotted names merged. Null if null was set, absent if nothing is left. */
export function initialValues(changes: Change[]): Map<string, WireValue> {
  const values = new Map<string, WireValue>()
  for (const change of changes) {
    const value = initialValue(change)
    if (value === undefined) continue
    const before = values.get(change.field)
    values.set(change.field, change.path.length > 0 ? putInside(before, change.path, value) : value)
  }
  return values
}

/** The place inside a value, made on the way there. The same as countersign.json_put does in the database. */
export function putInside(before: WireValue | undefined, [key = '', ...rest]: string[], value: WireValue): WireValue {
  if (/^\d{1,6}$/.test(key) && (before === undefined || before === null || Array.isArray(before))) {
    const list = [...((before ?? []) as WireValue[])]
    const index = Math.min(Number(key), list.length)
    list[index] = rest.length > 0 ? putInside(list[index], rest, value) : value
    return list
  }
  const tree: Tree = isTree(before) ? { ...before } : {}
  tree[key] = rest.length > 0 ? putInside(tree[key], rest, value) : value
  return tree
}

function isTree(value: WireValue | undefined): value is Tree {
  return value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value)
}

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
  throw new CountersignError('IncorrectType', `${field} cannot be changed as both ${one} and ${other} in one request.`)
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

/** The relations that the changes need, by field, with the class that they lead to. */
export function relationsOf(changes: Change[]): Map<string, string> {
  const relations = new Map<string, string>()
  for (const change of changes) {
    if ((change.kind !== 'relate' && change.kind !== 'unrelate') || change.targetClass === undefined) continue
    const other = relations.get(change.field) ?? change.targetClass
    if (other !== change.targetClass) {
      throw new CountersignError(
        'IncorrectType',
        `${change.field} cannot be changed as both Relation<${other}> and Relation<${change.targetClass}> in one request.`,
      )
    }
    relations.set(change.field, change.targetClass)
  }
  return relations
}

/** Ids that come into a relation and ids that leave it. Of several operations on one id the last counts. */
export type Related = { added: string[]; removed: string[] }

export function readRelated(changes: Change[]): Map<string, Related> {
  const last = new Map<string, Map<string, boolean>>()
  for (const change of changes) {
    if ((change.kind !== 'relate' && change.kind !== 'unrelate') || change.objects.length === 0) continue
    const ids = last.get(change.field) ?? new Map<string, boolean>()
    last.set(change.field, ids)
    for (const { objectId } of change.objects) ids.set(objectId, change.kind === 'relate')
  }
  const related = new Map<string, Related>()
  for (const [field, ids] of last) {
    const listed = (isAdded: boolean) => [...ids].filter(([, added]) => added === isAdded).map(([id]) => id)
    related.set(field, { added: listed(true), removed: listed(false) })
  }
  return related
}
