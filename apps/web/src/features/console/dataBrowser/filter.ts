import type { WireValue, WireWhere } from '@countersign/protocol'
import { type Fields, fieldOf, readValue } from './dataValues.ts'

export const operators = [
  ...(['equals', 'differs', 'oneOf', 'noneOf', 'above', 'atLeast', 'below', 'atMost'] as const),
  ...(['contains', 'starts', 'has', 'within', 'exists', 'missing'] as const),
] as const
export type Operator = (typeof operators)[number]

export type Condition = { field: string; operator: Operator; value: string }
/** Conditions of which all or any must be met. */
export type Group = { isAny: boolean; conditions: readonly Condition[] }
/** Conditions and groups of them, of which all or any must be met. */
export type Filter = { isAny: boolean; parts: readonly (Condition | Group)[] }

export const noFilter: Filter = { isAny: false, parts: [] }

/** Conditions in one filter. */
export const mostConditions = 20

export const isGroup = (part: Condition | Group): part is Group => 'conditions' in part

export const countConditions = ({ parts }: Filter): number =>
  parts.reduce((sum, part) => sum + (isGroup(part) ? part.conditions.length : 1), 0)

const presence = ['exists', 'missing'] as const
const equality = ['equals', 'differs', 'oneOf', 'noneOf'] as const
const comparison = ['above', 'atLeast', 'below', 'atMost'] as const

const byType: { [type: string]: readonly Operator[] } = {
  String: [...equality, 'contains', 'starts', ...comparison, ...presence],
  Number: [...equality, ...comparison, ...presence],
  Date: ['above', 'atLeast', 'below', 'atMost', 'equals', 'differs', ...presence],
  Boolean: ['equals', 'differs', ...presence],
  Pointer: [...equality, ...presence],
  GeoPoint: ['within', ...presence],
  Array: ['has', ...presence],
  Relation: ['has'],
}

/** Operators that a field of a type can be compared by. */
export const operatorsOf = (type: string | undefined): readonly Operator[] => byType[type ?? ''] ?? presence

export const needsValue = (operator: Operator) => operator !== 'exists' && operator !== 'missing'

/** Place and distance in km from `latitude, longitude, km`. */
export function readCircle(text: string): { latitude: number; longitude: number; km: number } | undefined {
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [latitude = Number.NaN, longitude = Number.NaN, km = Number.NaN] = parts
  const isValid = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && km > 0 && km <= 20_100
  return parts.length === 3 && isValid ? { latitude, longitude, km } : undefined
}

/** Returns false for a value that is none of its field's type: an empty one would find nothing, or everything. */
export function isValid(fields: Fields, { field, operator, value }: Condition): boolean {
  const type = fieldOf(fields, field)?.type
  if (type === undefined) return false
  if (!needsValue(operator)) return true
  if (operator === 'within') return readCircle(value) !== undefined
  if (operator === 'contains' || operator === 'starts' || operator === 'has') return value.trim() !== ''
  const parts = operator === 'oneOf' || operator === 'noneOf' ? value.split(',') : [value]
  if (type === 'String') return parts.length === 1 || parts.every((part) => part.trim() !== '')
  return parts.every((part) => part.trim() !== '' && readValue(type, part) !== undefined)
}

export const isValidFilter = (fields: Fields, { parts }: Filter): boolean =>
  parts.every((part) =>
    isGroup(part) ? part.conditions.every((each) => isValid(fields, each)) : isValid(fields, part),
  )

type Clause = { [field: string]: WireValue }

/** The filter as the API takes it. */
export function toWhere(fields: Fields, { isAny, parts }: Filter): WireWhere {
  const clauses = parts.flatMap((part) => {
    if (!isGroup(part)) return [toClause(fields, part)]
    return part.conditions.length === 0
      ? []
      : [
          join(
            part.isAny,
            part.conditions.map((each) => toClause(fields, each)),
          ),
        ]
  })
  return join(isAny, clauses) as WireWhere
}

function join(isAny: boolean, clauses: readonly Clause[]): Clause {
  if (clauses.length < 2) return clauses[0] ?? {}
  if (isAny) return { $or: clauses as unknown as WireValue }
  const merged: { [field: string]: { [operator: string]: WireValue } } = {}
  for (const clause of clauses)
    for (const [field, value] of Object.entries(clause)) {
      const parts = Object(value) as { [operator: string]: WireValue }
      const before = merged[field]
      // Two patterns, or two lists, for one field are two conditions.
      const isPlain = !field.startsWith('$') && Reflect.get(parts, '__type') === undefined
      if (!isPlain || Object.keys(parts).some((name) => before && name in before))
        return { $and: clauses as unknown as WireValue }
      merged[field] = { ...before, ...parts }
    }
  return merged
}

/** A condition on a field that the class does not have is met by nothing: changes of all rows must not reach more. */
function toClause(fields: Fields, { field, operator, value }: Condition): Clause {
  const known = fieldOf(fields, field)
  if (!known) return { objectId: { $in: [] } }
  const { type, targetClass } = known
  // A text that is no value of its field is compared as a text.
  const read = (text: string) => (text === '' ? '' : (readValue(type, text, targetClass) ?? text))
  if (operator === 'has') {
    const element =
      type === 'Relation' ? { __type: 'Pointer', className: targetClass ?? '', objectId: value.trim() } : null
    return { [field]: element ?? { $in: [readElement(value)] } }
  }
  return { [field]: toOperator(operator, value, read) }
}

/** An element of a list: JSON where it is some, else a text. */
function readElement(text: string): WireValue {
  try {
    return JSON.parse(text) as WireValue
  } catch {
    return text
  }
}

const earthRadius = 6_371

function toOperator(
  operator: Exclude<Operator, 'has'>,
  text: string,
  read: (text: string) => WireValue,
): { [operator: string]: WireValue } {
  const list = () => text.split(',').map((part) => read(part.trim()))
  switch (operator) {
    case 'equals':
      return { $eq: read(text) }
    case 'differs':
      return { $ne: read(text) }
    case 'oneOf':
      return { $in: list() }
    case 'noneOf':
      return { $nin: list() }
    case 'above':
      return { $gt: read(text) }
    case 'atLeast':
      return { $gte: read(text) }
    case 'below':
      return { $lt: read(text) }
    case 'atMost':
      return { $lte: read(text) }
    case 'starts':
      return { $regex: `^${quote(text)}` }
    case 'contains':
      return { $regex: quote(text), $options: 'i' }
    case 'within': {
      const { latitude, longitude, km } = readCircle(text) ?? { latitude: 0, longitude: 0, km: 0 }
      return { $geoWithin: { $centerSphere: [[longitude, latitude], km / earthRadius] } }
    }
    case 'exists':
      return { $exists: true }
    case 'missing':
      return { $exists: false }
  }
}

const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A filter as it is in the address: a list where all must be met, as it has always been. */
export function writeFilter({ isAny, parts }: Filter): string {
  if (parts.length === 0) return ''
  const list = parts.map((part) => (isGroup(part) ? { [part.isAny ? 'any' : 'all']: part.conditions } : part))
  return JSON.stringify(isAny ? { any: list } : list)
}

/** From the address or the server, which anyone may have written. */
export function readFilter(text: string | null): Filter {
  try {
    const given = JSON.parse(text || '[]') as unknown
    const isAny = !Array.isArray(given)
    const list = isAny ? Reflect.get(Object(given), 'any') : given
    if (!Array.isArray(list)) return noFilter
    let left = mostConditions
    const parts = list.slice(0, mostConditions).flatMap((part: unknown): (Condition | Group)[] => {
      const { any, all } = Object(part) as { any?: unknown; all?: unknown }
      const inner = any ?? all
      if (!Array.isArray(inner)) return left-- > 0 ? readCondition(part) : []
      const conditions = inner.slice(0, Math.max(left, 0)).flatMap(readCondition)
      left -= conditions.length
      return conditions.length > 0 ? [{ isAny: any !== undefined, conditions }] : []
    })
    return { isAny, parts }
  } catch {
    return noFilter
  }
}

function readCondition(given: unknown): Condition[] {
  const { field, operator, value } = Object(given) as { [name: string]: unknown }
  const known = operators.find((each) => each === operator)
  return typeof field === 'string' && known && typeof value === 'string' ? [{ field, operator: known, value }] : []
}
