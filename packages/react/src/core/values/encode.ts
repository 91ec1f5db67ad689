import {
  encodeScalar,
  isClassObject,
  isPlainObject,
  type WireFields,
  type WireOperation,
  type WireValue,
} from '@countersign/protocol'
import { ValidationError } from '../errors/errors.ts'
import type { AnyUserChanges } from './Changes.ts'
import type { FieldValue } from './FieldValue.ts'

/** Encodes a field's value as JSON; rejects values that would be changed or lost. */
export function encode(value: FieldValue | WireOperation, path: string, parents: readonly object[] = []): WireValue {
  const scalar = encodeScalar(value, (what) => refuse(path, what))
  if (scalar !== undefined) return scalar
  const given = value as object
  if (isClassObject(given)) return { __type: 'Pointer', className: given.className, objectId: given.objectId }
  if (parents.includes(given)) refuse(path, 'an object that contains itself')
  const chain = [...parents, given]
  if (Array.isArray(given)) return given.map((item, index) => encode(item ?? null, `${path}[${index}]`, chain))
  if (!isPlainObject(given)) refuse(path, Object.prototype.toString.call(given))
  // fromEntries defines own properties, so a key called __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, encode(item as FieldValue, `${path}.${key}`, chain)]],
    ),
  )
}

function refuse(path: string, what: string): never {
  throw new ValidationError(
    `The field ${path} is ${what}, which cannot be saved.`,
    'Fields can be strings, finite numbers, booleans, null, dates, arrays and plain objects.',
  )
}

/** The fields as the wire carries them; `undefined` is left out. */
export function encodeFields(fields: AnyUserChanges): WireFields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, encode(value, name)]])),
  )
}

/** Says whether a value is an update operation (`{ __op: 'Increment', … }`) and not a value to store. */
export function isOperation(value: unknown): value is WireOperation {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '__op')
}
