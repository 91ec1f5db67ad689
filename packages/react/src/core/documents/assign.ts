import type { WireFields, WireValue } from '@countersign/protocol'
import { decode } from '../values/decode.ts'
import { encode, isOperation } from '../values/encode.ts'
import type { FieldValue } from '../values/FieldValue.ts'
import { isEqual } from '../values/isEqual.ts'
import type { EncodedInput } from './SaveOptions.ts'

export type Fields = { readonly [field: string]: FieldValue | undefined }

/** Sets the value at a path, creating objects on the way; `undefined` removes it. */
export function assign(fields: Fields, [name = '', ...rest]: string[], value: FieldValue | undefined): Fields {
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

export function isFields(value: FieldValue | WireValue | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

/** The document as the server will probably have it. */
export function changeDocument(document: Fields, changes: EncodedInput): Fields {
  return Object.entries(changes).reduce(
    (fields, [path, value]) => assign(fields, path.split('.'), resolve(find(fields, path), value)),
    document,
  )
}

function find(fields: Fields, path: string): FieldValue | undefined {
  return path.split('.').reduce<FieldValue | undefined>((inner, name) => Object(inner)[name], fields as FieldValue)
}

function resolve(
  before: FieldValue | undefined,
  value: WireFields[string] | EncodedInput[string],
): FieldValue | undefined {
  if (!isOperation(value)) return decode(value as WireValue)
  if (value.__op === 'Delete') return undefined
  if (value.__op === 'Increment') return (typeof before === 'number' ? before : 0) + value.amount
  if (value.__op !== 'Add' && value.__op !== 'AddUnique' && value.__op !== 'Remove') return before
  const items: readonly FieldValue[] = Array.isArray(before) ? before : []
  const given = value.objects.map((item) => decode(item))
  const isIn = (list: readonly FieldValue[], item: FieldValue) =>
    list.some((other) => isEqual(write(other), write(item)))
  if (value.__op === 'Remove') return Object.freeze(items.filter((item) => !isIn(given, item)))
  const added = value.__op === 'Add' ? given : given.filter((item) => !isIn(items, item))
  return Object.freeze([...items, ...added])
}

function write(value: FieldValue): WireValue {
  return encode(value, '')
}
