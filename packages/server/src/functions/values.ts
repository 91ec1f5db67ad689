import {
  CountersignError,
  encodeScalar,
  isClassObject,
  isPlainObject,
  type WireFields,
  type WireValue,
} from '@countersign/protocol'
import type { CodeObject, CodeValue } from './CodeValue.ts'

const deepest = 200

/** `answer`: an object of a class is written whole. `stored`: as a pointer. */
export type EncodeFor = 'answer' | 'stored'

/** Turns what code made into what JSON carries; refuses what would be changed or lost on the way. */
export function encodeValue(value: unknown, purpose: EncodeFor, path = 'the value', depth = 0): WireValue {
  const scalar = encodeScalar(value, (what) => refuse(path, what))
  if (scalar !== undefined) return scalar
  const given = value as object
  if (depth > deepest) refuse(path.slice(0, 100), `values more than ${deepest} levels deep, or itself`)
  if (Array.isArray(given)) {
    return given.map((item, index) => encodeValue(item ?? null, purpose, `${path}[${index}]`, depth + 1))
  }
  const isObject = isClassObject(given)
  if (isObject && purpose === 'stored') {
    return { __type: 'Pointer', className: given.className, objectId: given.objectId }
  }
  const { toJSON } = given as { toJSON?: unknown }
  if (typeof toJSON === 'function') return encodeValue(toJSON.call(given), purpose, path, depth + 1)
  if (!isPlainObject(given)) refuse(path, Object.prototype.toString.call(given))
  return encodeFields(given, purpose, path, depth, isObject)
}

export function encodeFields(fields: object, purpose: EncodeFor, path = '', depth = 0, hasTimes = false): WireFields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
      if (value === undefined) return []
      const isTime = hasTimes && value instanceof Date && (name === 'createdAt' || name === 'updatedAt')
      return [[name, isTime ? value.toISOString() : encodeValue(value, purpose, join(path, name), depth + 1)]]
    }),
  )
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function refuse(path: string, what: string): never {
  throw new CountersignError(
    'ScriptFailed',
    `${path} is ${what}, which is not valid in JSON. Use strings, finite numbers, booleans, null, dates, lists and plain objects.`,
  )
}

/** Turns a value of the wire into what code sees: dates as `Date`. How deep it may be nested was checked on arrival. */
export function decodeValue(value: WireValue): CodeValue {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(decodeValue)
  const { __type, iso } = value as { __type?: WireValue; iso?: WireValue }
  if (__type === 'Date' && typeof iso === 'string') return new Date(iso)
  return decodeFields(value as WireFields, __type === 'Object')
}

/** An object of a class, whose own times are plain texts on the wire. */
export function decodeObject<Fields extends object>(className: string, record: WireFields): CodeObject<Fields> {
  const { className: own = className, ...fields } = record
  return decodeFields({ __type: 'Object', className: own, ...fields }, true) as CodeObject<Fields>
}

function decodeFields(fields: WireFields, hasTimes: boolean): { [name: string]: CodeValue } {
  // fromEntries defines own properties, so a key called __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const isTime = hasTimes && (name === 'createdAt' || name === 'updatedAt')
      return [name, isTime && typeof value === 'string' ? new Date(value) : decodeValue(value)]
    }),
  )
}
