import type { DocumentCondition, DocumentPlace } from './matchDocument.ts'
import { isJson } from './matchDocument.ts'
import type { WireDate, WireFields, WireValue } from './values.ts'

/** Type of a field, as far as it is known from documents. */
export type KnownType = { readonly type: string; readonly targetClass?: string }

type Typed = { [key: string]: WireValue }

const never: DocumentCondition = { kind: 'constant', holds: false }
const always: DocumentCondition = { kind: 'constant', holds: true }
const not = (of: DocumentCondition): DocumentCondition => ({ kind: 'not', of })
const all = (of: readonly DocumentCondition[]): DocumentCondition => ({ kind: 'all', of })

/** Types whose conditions only the server reads. */
const elsewhere = new Set(['GeoPoint', 'Polygon', 'Bytes', 'File', 'Relation'])

class Unreadable extends Error {}

/**
 * Conditions of a query, for documents on a device; undefined if only the server can read them. `typeOf` is the type of
 * a field by its values: without any, no value meets a condition.
 */
export function readDocumentWhere(
  where: unknown,
  typeOf: (field: string) => KnownType | undefined,
): DocumentCondition | undefined {
  try {
    return readConditions((where ?? {}) as Typed, typeOf)
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

type TypeOf = (field: string) => KnownType | undefined

function readConditions(where: Typed, typeOf: TypeOf): DocumentCondition {
  return all(Object.entries(where).map(([key, value]) => readEntry(key, value, typeOf)))
}

function readEntry(key: string, value: WireValue, typeOf: TypeOf): DocumentCondition {
  if (key === '$or' || key === '$and' || key === '$nor') {
    if (!Array.isArray(value) || value.length === 0) throw new Unreadable()
    const of = value.map((part) => readConditions(part as Typed, typeOf))
    if (key === '$and') return all(of)
    return key === '$or' ? { kind: 'any', of } : not({ kind: 'any', of })
  }
  if (key.startsWith('$') || key === 'ACL') throw new Unreadable()
  const place = findPlace(key, typeOf)
  const [operators, direct] = split(value)
  const conditions = operators.map(([operator, given]) => readOperator(place, operator, given))
  return all(direct === undefined ? conditions : [...conditions, equals(place, direct)])
}

function findPlace(key: string, typeOf: TypeOf): DocumentPlace | undefined {
  const [field = '', ...path] = key.split('.')
  const known = typeOf(field)
  if (!known) return undefined
  if (elsewhere.has(known.type)) throw new Unreadable()
  if (path.length > 0 && known.type !== 'Object' && known.type !== 'Array') return undefined
  return { field, path, ...known }
}

function split(value: WireValue): [operators: [string, WireValue][], direct: WireValue | undefined] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [[], value]
  const entries = Object.entries(value) as [string, WireValue][]
  const operators = entries.filter(([name]) => name.startsWith('$'))
  if (operators.length === 0) return [[], value]
  if (operators.length < entries.length) throw new Unreadable()
  return [operators, undefined]
}

const comparisons = { $lt: '<', $lte: '<=', $gt: '>', $gte: '>=' } as const

function readOperator(place: DocumentPlace | undefined, operator: string, value: WireValue): DocumentCondition {
  if (operator in comparisons) return compares(place, comparisons[operator as keyof typeof comparisons], value)
  if (operator === '$eq') return equals(place, value)
  if (operator === '$ne') return not(equals(place, value))
  if (operator === '$exists' && typeof value === 'boolean') {
    const exists: DocumentCondition = place ? { kind: 'exists', place } : never
    return value ? exists : not(exists)
  }
  if (!Array.isArray(value)) throw new Unreadable()
  if (operator === '$in') return equalsOne(place, value)
  if (operator === '$nin') return not(equalsOne(place, value))
  if (operator === '$all' && !value.some(isPattern))
    return value.length === 0 ? never : all(value.map((item) => equals(place, item)))
  if (operator === '$containedBy') {
    if (!place || !isJson(place) || (place.type === 'Object' && place.path.length === 0)) return never
    return { kind: 'containedBy', place, values: value.map(storedForm) }
  }
  throw new Unreadable()
}

function isPattern(value: WireValue): boolean {
  return typeof value === 'object' && value !== null && '$regex' in value
}

function equals(place: DocumentPlace | undefined, value: WireValue): DocumentCondition {
  if (value === null) return equalsNull(place)
  const fitting = place && fitValue(place, value)
  return place && fitting !== undefined ? { kind: 'equals', place, values: [fitting] } : never
}

function equalsNull(place: DocumentPlace | undefined): DocumentCondition {
  if (!place) return always
  const absent = not({ kind: 'hasValue', place })
  const isList = place.type === 'Array' && place.path.length === 0
  return isList ? { kind: 'any', of: [absent, { kind: 'equals', place, values: [null] }] } : absent
}

function equalsOne(place: DocumentPlace | undefined, list: readonly WireValue[]): DocumentCondition {
  const values = list.flatMap((value) => {
    const fitting = place && value !== null ? fitValue(place, value) : undefined
    return fitting === undefined ? [] : [fitting]
  })
  const equal: DocumentCondition = place && values.length > 0 ? { kind: 'equals', place, values } : never
  return list.includes(null) ? { kind: 'any', of: [equalsNull(place), equal] } : equal
}

function compares(
  place: DocumentPlace | undefined,
  operator: '<' | '<=' | '>' | '>=',
  given: WireValue,
): DocumentCondition {
  if (given === null || !place) return never
  const value = typeof given === 'object' ? fitDate(given) : given
  // `$relativeTime`, and what the server refuses.
  if (value === undefined) throw new Unreadable()
  if (isJson(place)) {
    return place.type === 'Object' && place.path.length === 0 ? never : { kind: 'compares', place, operator, value }
  }
  if (place.type === 'Date') {
    const date = fitDate(value)
    return date ? { kind: 'compares', place, operator, value: date } : never
  }
  return place.type === typeOfValue(value)?.type ? { kind: 'compares', place, operator, value } : never
}

/** Value as it is stored at the place; undefined if nothing there can equal it. */
function fitValue(place: DocumentPlace, value: WireValue): WireValue | undefined {
  const known = typeOfValue(value)
  if (!known) throw new Unreadable()
  if (isJson(place)) {
    if (place.path.length === 0 && place.type === 'Object' && known.type !== 'Object') return undefined
    return storedForm(value)
  }
  if (place.type === 'Date') return fitDate(value)
  if (place.type === 'Pointer' && typeof value === 'string')
    return { __type: 'Pointer', className: place.targetClass ?? '', objectId: value }
  if (known.type !== place.type) return undefined
  return place.type === 'Pointer' && known.targetClass !== place.targetClass ? undefined : storedForm(value)
}

/** Type of a value; undefined where only the server knows. */
export function typeOfValue(value: WireValue): KnownType | undefined {
  if (typeof value === 'string') return { type: 'String' }
  if (typeof value === 'number') return Number.isFinite(value) ? { type: 'Number' } : undefined
  if (typeof value === 'boolean') return { type: 'Boolean' }
  if (value === null) return undefined
  if (Array.isArray(value)) return { type: 'Array' }
  const { __type, className }: WireFields = value as WireFields
  if (__type === undefined) return { type: 'Object' }
  if (__type === 'Pointer' || __type === 'Object') return { type: 'Pointer', targetClass: String(className) }
  return { type: String(__type) }
}

function fitDate(value: WireValue): WireDate | undefined {
  const iso =
    typeof value === 'string' ? value : (value as Typed | null)?.__type === 'Date' ? (value as Typed).iso : undefined
  if (typeof iso !== 'string' || !/^[+-]?\d{4,6}-\d\d/.test(iso)) return undefined
  const time = Date.parse(iso)
  return Number.isNaN(time) ? undefined : { __type: 'Date', iso: new Date(time).toISOString() }
}

/** As JSON holds it: whole objects are kept as pointers. */
function storedForm(value: WireValue): WireValue {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(storedForm)
  const { __type, className, objectId }: WireFields = value as WireFields
  if (__type === 'Object')
    return { __type: 'Pointer', className: className ?? null, objectId: objectId ?? null } as WireValue
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, storedForm(inner as WireValue)]))
}
