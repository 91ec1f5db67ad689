import type { WireChanges, WireValue } from '@countersign/protocol'
import type { FieldValue } from '../User.ts'
import { decode } from '../wire/decode.ts'
import { isOperation } from '../wire/isOperation.ts'
import type { Ref } from './Document.ts'

type Fields = { readonly [field: string]: FieldValue | undefined }

/** The object after a save: what was known of it, the values that were sent, and the results that the server told. */
export function mergeAnswer(object: Ref, changes: WireChanges, answer: object): unknown {
  let fields: Fields = { ...object, __type: 'Object' }
  for (const [path, value] of Object.entries(changes)) {
    if (!isOperation(value)) fields = assign(fields, path.split('.'), decode(value))
    else if (value.__op === 'Delete') fields = assign(fields, path.split('.'), undefined)
    else if (value.__op === 'AddRelation' && value.objects[0]) {
      fields = { ...fields, [path]: Object.freeze({ __type: 'Relation', className: value.objects[0].className }) }
    }
  }
  const reached = new Set(Object.keys(changes).flatMap((path) => (path.includes('.') ? path.split('.', 1) : [])))
  const told = Object.entries(decode({ ...answer, __type: 'Object', className: object.className }) as Fields)
  for (const [name, value] of told) {
    fields = { ...fields, [name]: reached.has(name) ? merge(fields[name], value) : value }
  }
  return Object.freeze(fields)
}

/** Sets what a path leads to, making the objects on its way; `undefined` takes it away. */
function assign(fields: Fields, [name = '', ...rest]: string[], value: FieldValue | undefined): Fields {
  const inner = rest.length === 0 ? value : assignInside(fields[name], rest, value)
  const { [name]: _, ...others } = fields
  return Object.freeze(inner === undefined ? others : { ...fields, [name]: inner })
}

function assignInside(before: FieldValue | undefined, path: string[], value: FieldValue | undefined): FieldValue {
  if (!Array.isArray(before)) return assign(isFields(before) ? before : {}, path, value)
  const items: readonly FieldValue[] = before
  const index = Number(path[0])
  const inner = path.length === 1 ? value : assignInside(items[index], path.slice(1), value)
  return Object.freeze(items.map((item, position) => (position === index ? (inner ?? null) : item)))
}

/** The server tells of a path only what lies on it. */
function merge(before: FieldValue | undefined, told: FieldValue | undefined): FieldValue | undefined {
  if (!isFields(before) || !isFields(told)) return told
  const entries = Object.entries(told).map(([name, value]) => [name, merge(before[name], value)])
  return Object.freeze({ ...before, ...Object.fromEntries(entries) })
}

function isFields(value: FieldValue | WireValue | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
