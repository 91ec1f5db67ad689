import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'

const deepest = 200

/** `answer`: an object of a class goes out whole. `stored`: it stands for a pointer to it. */
export type EncodeFor = 'answer' | 'stored'

/** Turns what code made into what JSON carries; refuses what would be changed or lost on the way. */
export function encodeValue(value: unknown, purpose: EncodeFor, path = 'the value', depth = 0): WireValue {
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
  if (depth > deepest) throw refusal(path.slice(0, 100), `values more than ${deepest} levels deep, or itself`)
  if (Array.isArray(value)) {
    return value.map((item, index) => encodeValue(item ?? null, purpose, `${path}[${index}]`, depth + 1))
  }
  const isObject = isObjectOfClass(value)
  if (isObject && purpose === 'stored') {
    return { __type: 'Pointer', className: value.className, objectId: value.objectId }
  }
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return encodeValue(toJSON.call(value), purpose, path, depth + 1)
  if (!isPlain(value)) throw refusal(path, Object.prototype.toString.call(value))
  return encodeFields(value, purpose, path, depth, isObject)
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

function isObjectOfClass(value: object): value is { className: string; objectId: string } {
  const { __type, className, objectId }: { __type?: unknown; className?: unknown; objectId?: unknown } = value
  return __type === 'Object' && typeof className === 'string' && typeof objectId === 'string'
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // The second test also knows the Object of another thread or context.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function refusal(path: string, what: string): CountersignError {
  return new CountersignError(
    'ScriptFailed',
    `${path} holds ${what}, which JSON cannot carry. Use texts, finite numbers, booleans, null, dates, lists and plain objects.`,
  )
}
