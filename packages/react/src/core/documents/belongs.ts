import type { WireFields, WireValue } from '@countersign/protocol'
import { encode } from '../values/encode.ts'
import type { FieldValue } from '../values/FieldValue.ts'
import { isEqual } from '../values/isEqual.ts'
import { readQuestion } from './readQuestion.ts'

/** A document by its class and id. */
export type Named = { readonly className: string; readonly objectId: string; readonly [field: string]: unknown }

/** A change of a document, as far as it decides which readings to refresh. */
export type Written = {
  readonly className: string
  readonly objectId: string
  readonly kind: 'create' | 'update' | 'delete'
  /** Fields that changed; a path counts as its first part. */
  readonly fields: ReadonlySet<string>
  /** The document as it is now, or was before it was deleted, as far as it is known. */
  readonly document: object
}

/** Returns true if a query may have another result now than the cached one with the change applied. */
export function isAffected(asked: object, data: unknown, written: Written): boolean {
  const { className, objectId, kind: change, fields, document } = written
  const { kind, query } = readQuestion(asked)
  if (!query || query.redirectClassNameForKey) return names(asked, className) || holds(data, written)
  if (asksAbout(query.where, written)) return true
  if (query.className !== className) return false
  if (change !== 'create' && fields.has('ACL')) return true
  const readsAlong = String(query.include ?? '')
    .split(',')
    .some((path) => path === '*' || fields.has(headOf(path)))
  if (kind === 'get') return query.objectId === objectId && (change === 'delete' || readsAlong)
  const match = matches(query.where, document, change === 'create')
  if (change === 'create') return match !== false
  const items = listOf(data)
  const isHeld = items.some((item) => Object(item).objectId === objectId)
  if (change === 'delete') {
    if (kind === 'count') return match !== false
    return isHeld ? kind !== 'pages' && items.length >= (query.limit ?? 100) : Boolean(query.skip) && match !== false
  }
  if (isHeld && readsAlong) return true
  const isSorted = String(query.order ?? '')
    .split(',')
    .some((name) => fields.has(headOf(name.replace(/^[+-]/, ''))))
  if (kind !== 'count' && isSorted && (isHeld || match !== false)) return true
  if (!fieldsOf(query.where).some((name) => fields.has(name))) return false
  return kind === 'count' || match === undefined || match !== isHeld
}

function headOf(path: string): string {
  return path.split('.', 1)[0] ?? path
}

/** The documents of a list, or of its pages. */
export function listOf(data: unknown): readonly unknown[] {
  const items: unknown = Object(data).items ?? data
  return Array.isArray(items) ? items : []
}

/** Returns true if the data contains the document. A new one may belong wherever there are others of its class. */
export function holds(
  value: unknown,
  { className, objectId, kind }: Pick<Written, 'className' | 'objectId' | 'kind'>,
): boolean {
  if (typeof value !== 'object' || value === null) return false
  const found: { __type?: unknown; className?: unknown; objectId?: unknown } = value
  if (found.__type === 'Object' && found.className === className && (kind === 'create' || found.objectId === objectId))
    return true
  return Object.values(value).some((item) => holds(item, { className, objectId, kind }))
}

function names(value: unknown, className: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object(value).className === className || Object.values(value).some((item) => names(item, className))
}

/** Returns true if a condition contains a query of the class, or a relation of the document. */
function asksAbout(where: unknown, written: Written): boolean {
  if (typeof where !== 'object' || where === null) return false
  const fields: { __type?: unknown; className?: unknown; $relatedTo?: unknown } = where
  if (fields.className === written.className && fields.__type === undefined) return true
  const { object } = Object(fields.$relatedTo)
  if (object && object.className === written.className && object.objectId === written.objectId) return true
  return Object.values(where).some((item) => asksAbout(item, written))
}

/** The fields that a condition looks at. */
function fieldsOf(where: unknown): readonly string[] {
  return Object.entries(Object(where)).flatMap(([name, condition]) =>
    name.startsWith('$') ? [condition].flat().flatMap(fieldsOf) : [headOf(name)],
  )
}

/**
 * Evaluates a condition; undefined if only the server can. A missing field of a partial document may have any value.
 */
function matches(where: unknown, document: object, isWhole: boolean): boolean | undefined {
  return all(
    Object.entries(Object(where)).map(([name, condition]) => {
      const parts = () => [condition].flat().map((part) => matches(part, document, isWhole))
      if (name === '$and') return all(parts())
      if (name === '$or') return not(all(parts().map(not)))
      if (name === '$nor') return all(parts().map(not))
      if (name.startsWith('$') || name.includes('.')) return undefined
      const value = Object(document)[name]
      if (value === undefined && !isWhole) return undefined
      return meets(
        value === undefined ? undefined : simplify(encode(value as FieldValue, name)),
        condition as WireValue,
      )
    }),
  )
}

function all(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false
  return parts.includes(undefined) ? undefined : true
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value
}

/** Simplifies values for comparison: pointers by their id, dates by their time. */
function simplify(value: WireValue): WireValue {
  const { __type, iso, className, objectId }: WireFields = Object(value)
  if (__type === 'Date') return Date.parse(String(iso))
  return __type === 'Pointer' || __type === 'Object'
    ? { className: className ?? null, objectId: objectId ?? null }
    : value
}

function meets(value: WireValue | undefined, condition: WireValue): boolean | undefined {
  // A list meets a condition by one of its items, and texts have an order that is the database's own affair.
  if (Array.isArray(value)) return undefined
  const isPlain = typeof condition !== 'object' || condition === null || Array.isArray(condition)
  const operators =
    isPlain || !Object.keys(condition).some((name) => name.startsWith('$')) ? { $eq: condition } : condition
  return all(Object.entries(operators).map(([operator, wanted]) => meetsOne(value, operator, wanted as WireValue)))
}

function meetsOne(value: WireValue | undefined, operator: string, wanted: WireValue): boolean | undefined {
  if (operator === '$exists') return value === null ? undefined : (value !== undefined) === wanted
  if (operator === '$in' && Array.isArray(wanted))
    return not(all(wanted.map((one) => not(meetsOne(value, '$eq', one)))))
  if (operator === '$eq') {
    if (wanted === null || value === undefined || value === null)
      return wanted === null && value === undefined ? true : wanted !== null && value === undefined ? false : undefined
    return Array.isArray(wanted) ? undefined : isEqual(value, simplify(wanted))
  }
  if (value === undefined || value === null || wanted === null) return undefined
  if (operator === '$ne') return Array.isArray(wanted) ? undefined : !isEqual(value, simplify(wanted))
  const limit = simplify(wanted)
  if (typeof value !== 'number' || typeof limit !== 'number') return undefined
  if (operator === '$lt') return value < limit
  if (operator === '$lte') return value <= limit
  if (operator === '$gt') return value > limit
  return operator === '$gte' ? value >= limit : undefined
}

/** The list with a document that is being made, in its place, where it surely belongs into the list. */
export function insertDocument<Data>(data: Data, document: Named, asked: object): Data {
  const { kind, query } = readQuestion(asked)
  const isList = kind === 'find' || kind === 'pages' || kind === 'live'
  // Included documents, and rows before a later page, are unknown here.
  if (!isList || query?.className !== document.className || query.include || query.skip) return data
  const items = listOf(data) as readonly Named[]
  if (items.some(({ objectId }) => objectId === document.objectId)) return data
  if (data === undefined || matches(query.where, document, true) !== true) return data
  const order = query.order?.split(',') ?? []
  const before = items.findIndex((item) => compare(order, document, item) < 0)
  const place = before === -1 ? items.length : before
  const { cursor } = Object(data)
  if (cursor !== undefined && place === items.length) return data
  const keys = query.keys?.split(',').map(headOf)
  const left = query.excludeKeys?.split(',')
  const isShown = (name: string) => always.has(name) || ((!keys || keys.includes(name)) && !left?.includes(name))
  const shown = Object.freeze(Object.fromEntries(Object.entries(document).filter(([name]) => isShown(name))))
  const list = [...items.slice(0, place), shown, ...items.slice(place)]
  if (kind === 'pages') return Object.freeze({ ...data, items: Object.freeze(list) })
  return Object.freeze(list.slice(0, query.limit ?? 100)) as Data
}

/** Id of the document in a list that has the values of a new one, and is among those that can be it. */
export function findMade(
  data: unknown,
  made: Named,
  names: readonly string[],
  canBe: (objectId: string) => boolean,
): string | undefined {
  const write = (value: unknown) => simplify(encode(value as FieldValue, ''))
  const found = (listOf(data) as readonly Named[]).find((item) => {
    if (item.className !== made.className || !canBe(item.objectId)) return false
    const shown = names.filter((name) => item[name] !== undefined)
    return shown.length > 0 && shown.every((name) => isEqual(write(item[name]), write(made[name])))
  })
  return found?.objectId
}

const always = new Set(['objectId', 'createdAt', 'updatedAt', 'ACL', '__type', 'className'])

function compare(order: readonly string[], one: Named, other: Named): number {
  for (const entry of order) {
    const name = entry.replace(/^[+-]/, '')
    const [a, b] = [rankOf(one[name]), rankOf(other[name])]
    const outcome = a < b ? -1 : a > b ? 1 : 0
    if (outcome !== 0) return entry.startsWith('-') ? -outcome : outcome
  }
  return 0
}

/** Sort key of a value; absent ones come first. */
function rankOf(value: unknown): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value
  return value === undefined || value === null ? Number.NEGATIVE_INFINITY : Number(value)
}
