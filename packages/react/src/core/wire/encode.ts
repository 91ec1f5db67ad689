import type { WireOperation, WireValue } from '@countersign/protocol'
import { ValidationError } from '../errors/ValidationError.ts'
import type { FieldValue } from '../User.ts'

/** Turns a field's value into what JSON carries; refuses what would be changed or lost on the way. */
export function encode(value: FieldValue | WireOperation, path: string, parents: readonly object[] = []): WireValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refusal(path, String(value))
    return value
  }
  if (typeof value !== 'object') throw refusal(path, `a ${typeof value}`)
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw refusal(path, 'an invalid date')
    return { __type: 'Date', iso: value.toISOString() }
  }
  if (isObject(value)) return { __type: 'Pointer', className: value.className, objectId: value.objectId }
  if (parents.includes(value)) throw refusal(path, 'an object that contains itself')
  const chain = [...parents, value]
  if (Array.isArray(value)) return value.map((item, index) => encode(item ?? null, `${path}[${index}]`, chain))
  if (!isPlain(value)) throw refusal(path, Object.prototype.toString.call(value))
  // fromEntries defines own properties, so a key called __proto__ stays a key.
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, encode(item as FieldValue, `${path}.${key}`, chain)]],
    ),
  )
}

/** An object of a class, as it was read: where it is a value, it stands for a pointer to it. */
function isObject(value: object): value is { className: string; objectId: string } {
  const { __type, className, objectId }: { __type?: unknown; className?: unknown; objectId?: unknown } = value
  return __type === 'Object' && typeof className === 'string' && typeof objectId === 'string'
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // The second test also knows the Object of another frame.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function refusal(path: string, what: string): ValidationError {
  return new ValidationError(
    `The field ${path} holds ${what}, which cannot be saved.`,
    'Fields take strings, finite numbers, booleans, null, dates, and arrays and plain objects of these.',
  )
}
