import {
  CountersignError,
  type WireDate,
  type WireFields,
  type WireGeoPoint,
  type WireValue,
} from '@countersign/protocol'
import type { ClassSchema, FieldType, FieldTypeName } from '../classes/ClassSchema.ts'
import { inferFieldType } from '../classes/columns.ts'
import type { Classes } from '../classes/createClasses.ts'
import type { Config } from '../config/Config.ts'
import type { Decision } from '../permissions/Decision.ts'
import { hiddenFields } from '../permissions/decide.ts'
import type { Access } from '../roles/accessOf.ts'
import { type Pattern, sizeOf } from './patterns/Pattern.ts'

/**
 * Location of a condition's value: a field with a column (`objectId`, `createdAt` and `updatedAt` included), and for
 * Object and Array fields the keys of a dotted name. A path without numbers looks into arrays, one level at each key. A
 * path with a number is exact: the number is an index of an array or a key.
 *
 * What lies there are its candidates: none, one or several values. Where the field is an Array, or a candidate is one,
 * the elements count as candidates besides the whole.
 */
export type Place = {
  readonly field: string
  readonly type: FieldTypeName
  /** The class that a Pointer field leads to. */
  readonly targetClass?: string
  readonly path: readonly string[]
}

/** A subquery: carried out with the caller's own rights. */
export type Subquery = { readonly schema: ClassSchema; readonly decision: Decision; readonly condition: Condition }

export type TextSearch = {
  /** The configuration of PostgreSQL's search. */
  readonly language: string
  /** One of them suffices. */
  readonly words: readonly string[]
  readonly phrases: readonly string[]
  readonly without: readonly string[]
  readonly caseSensitive: boolean
  readonly diacriticSensitive: boolean
}

/** Parsed `where`: every name is checked, and every value is in its plain form. */
export type Condition =
  /** Constant result, such as for a number in a text field. */
  | { readonly kind: 'constant'; readonly holds: boolean }
  | { readonly kind: 'all'; readonly of: readonly Condition[] }
  | { readonly kind: 'any'; readonly of: readonly Condition[] }
  /** True where the other is not: also where the field is missing. */
  | { readonly kind: 'not'; readonly of: Condition }
  /** A candidate equals one of the values; none of them is null. Files are compared by name. */
  | { readonly kind: 'equals'; readonly place: Place; readonly values: readonly WireValue[] }
  /** A candidate stands so to the value; only values of one type compare. Texts by their code points. */
  | {
      readonly kind: 'compares'
      readonly place: Place
      readonly operator: '<' | '<=' | '>' | '>='
      readonly value: string | number | boolean | WireDate
    }
  /** True for any value, even null. */
  | { readonly kind: 'exists'; readonly place: Place }
  /** True for any value except null. */
  | { readonly kind: 'hasValue'; readonly place: Place }
  /** An array, each element of which equals one of the values. */
  | { readonly kind: 'containedBy'; readonly place: Place; readonly values: readonly WireValue[] }
  /** A candidate is a text that the pattern is found in. */
  | { readonly kind: 'pattern'; readonly place: Place; readonly pattern: Pattern }
  | { readonly kind: 'text'; readonly place: Place; readonly search: TextSearch }
  /** A point at this distance at most, in radians of the great circle; without one, any point. */
  | {
      readonly kind: 'near'
      readonly place: Place
      readonly point: WireGeoPoint
      readonly maxDistance?: number
      /** The nearest come first, unless the query asks for another order. */
      readonly sorted: boolean
    }
  /** Plane geometry; from east to west it leads across the date line. */
  | { readonly kind: 'box'; readonly place: Place; readonly southWest: WireGeoPoint; readonly northEast: WireGeoPoint }
  /** Plane geometry, edges included. */
  | { readonly kind: 'polygon'; readonly place: Place; readonly points: readonly WireGeoPoint[] }
  /** A Polygon field that holds the point. */
  | { readonly kind: 'surrounds'; readonly place: Place; readonly point: WireGeoPoint }
  /** A Pointer (or an array of them) to a result of the subquery. */
  | { readonly kind: 'inQuery'; readonly place: Place; readonly query: Subquery }
  /** A candidate equals a candidate of `key` in a result of the subquery. */
  | { readonly kind: 'select'; readonly place: Place; readonly key: Place; readonly query: Subquery }
  /** The object's relation holds one of these; without `ids` and `query`, anything. */
  | {
      readonly kind: 'relation'
      readonly className: string
      readonly field: string
      readonly ids?: readonly string[]
      readonly query?: Subquery
    }
  /** The object is held by the relation `field` of the owner, which the caller may read. */
  | {
      readonly kind: 'relatedTo'
      readonly owner: {
        readonly schema: ClassSchema
        readonly decision: Decision
        readonly objectId: string
        /** Further condition from hooks of the owner's class. */
        readonly condition: Condition
      }
      readonly field: string
    }

export const never: Condition = { kind: 'constant', holds: false }

export const always: Condition = { kind: 'constant', holds: true }

/** Every one of them; what is certain is left out. */
export function all(of: readonly Condition[]): Condition {
  const open = of.filter((condition) => condition.kind !== 'constant' || !condition.holds)
  if (open.some((condition) => condition.kind === 'constant')) return never
  return open.length === 0 ? always : open.length === 1 ? (open[0] as Condition) : { kind: 'all', of: open }
}

/** At least one of them. */
export function any(of: readonly Condition[]): Condition {
  const open = of.filter((condition) => condition.kind !== 'constant' || condition.holds)
  if (open.some((condition) => condition.kind === 'constant')) return always
  return open.length === 0 ? never : open.length === 1 ? (open[0] as Condition) : { kind: 'any', of: open }
}

export function not(of: Condition): Condition {
  if (of.kind === 'constant') return of.holds ? never : always
  return of.kind === 'not' ? of.of : { kind: 'not', of }
}

const mostParts = 20

/** Describes the fields and operators of a condition, without values: for the log and for operators. */
export function describeCondition(condition: Condition, nameOf = nameWithPath): string {
  switch (condition.kind) {
    case 'constant':
      return String(condition.holds)
    case 'all':
      return describeParts(condition.of, ' and ', nameOf)
    case 'any':
      return `(${describeParts(condition.of, ' or ', nameOf)})`
    case 'not':
      return `not ${describeCondition(condition.of, nameOf)}`
    case 'compares':
      return `${nameOf(condition.place)} ${condition.operator} ?`
    case 'equals':
      return `${nameOf(condition.place)} ${condition.values.length === 1 ? '= ?' : 'in (?)'}`
    case 'relation':
      return `${condition.field} holds`
    case 'relatedTo':
      return `related by ${condition.field}`
    case 'inQuery':
    case 'select':
      return `${nameOf(condition.place)} ${condition.kind} ${condition.query.schema.className}(${describeCondition(condition.query.condition, nameOf)})`
    default:
      return `${nameOf(condition.place)} ${condition.kind}`
  }
}

function describeParts(parts: readonly Condition[], word: string, nameOf: (place: Place) => string): string {
  const shown = parts.slice(0, mostParts).map((part) => describeCondition(part, nameOf))
  return (parts.length > mostParts ? [...shown, '…'] : shown).join(word)
}

function nameWithPath({ field, path }: Place): string {
  return [field, ...path].join('.')
}

/** Returns true if a condition or a subquery contains a pattern, whose cost does not depend on its length. */
export function hasPattern(condition: Condition): boolean {
  switch (condition.kind) {
    case 'pattern':
      return condition.pattern.plain === undefined
    case 'all':
    case 'any':
      return condition.of.some(hasPattern)
    case 'not':
      return hasPattern(condition.of)
    case 'inQuery':
    case 'select':
      return hasPattern(condition.query.condition)
    case 'relation':
      return condition.query !== undefined && hasPattern(condition.query.condition)
    default:
      return false
  }
}

/**
 * Returns true if a condition can be decided from the document alone. Subqueries and relations depend on other rows, a
 * text search needs PostgreSQL's dictionaries, and session tokens are only in the database.
 */
export function isMatchable(condition: Condition): boolean {
  switch (condition.kind) {
    case 'constant':
      return true
    case 'all':
    case 'any':
      return condition.of.every(isMatchable)
    case 'not':
      return isMatchable(condition.of)
    case 'text':
    case 'inQuery':
    case 'select':
    case 'relation':
    case 'relatedTo':
      return false
    default:
      return !condition.place.field.startsWith('_')
  }
}

/** Cost of a condition for a document: per letter of a field, plus a fixed part. */
type Cost = { field: string; perLetter: number; flat: number }

/** A condition is never changed, so its costs are listed once. */
const costsByCondition = new WeakMap<Condition, readonly Cost[]>()

/** Less than this is no work. */
const leastWork = 500

/**
 * Cost of a condition for a document, in letters of a text times states of a pattern: a tenth of a microsecond each.
 * Patterns, long lists of values and long lists in the document dominate.
 */
export function workOf(condition: Condition, object: WireFields | undefined): number {
  const costs = costsByCondition.get(condition) ?? listCosts(condition)
  costsByCondition.set(condition, costs)
  if (!object || costs.length === 0) return 0
  const work = costs.reduce(
    (sum, { field, perLetter, flat }) => sum + flat + (perLetter > 0 ? perLetter * lettersOf(object, field) : 0),
    0,
  )
  return work < leastWork ? 0 : work
}

/** Up to this many values are compared separately; more are compared together. */
export const fewValues = 8

/** To look through JSON, by the letter. */
const look = 1 / 4

function listCosts(condition: Condition): readonly Cost[] {
  switch (condition.kind) {
    case 'pattern': {
      const { pattern, place } = condition
      if (!pattern.plain) return [{ field: place.field, perLetter: sizeOf(pattern.tree), flat: 0 }]
      return isJson(place) ? [{ field: place.field, perLetter: look, flat: 0 }] : []
    }
    case 'equals':
    case 'containedBy': {
      const { place, values } = condition
      const { field } = place
      if (isJson(place)) return [{ field, perLetter: look * Math.min(values.length, fewValues), flat: 0 }]
      // Dates are read each time.
      return values.length > fewValues ? [{ field, perLetter: 0, flat: values.length / 2 }] : []
    }
    case 'compares':
    case 'exists':
    case 'hasValue':
    case 'surrounds': {
      const { place, kind } = condition
      return isJson(place) || kind === 'surrounds' ? [{ field: place.field, perLetter: look, flat: 0 }] : []
    }
    case 'polygon':
      return [{ field: condition.place.field, perLetter: 0, flat: condition.points.length / 2 }]
    case 'all':
    case 'any':
      return condition.of.flatMap(listCosts)
    case 'not':
      return listCosts(condition.of)
    default:
      return []
  }
}

/** An object is decided for many who ask: its fields are measured once. */
const lettersByObject = new WeakMap<WireFields, Map<string, number>>()

function lettersOf(object: WireFields, field: string): number {
  const value = Object.hasOwn(object, field) ? object[field] : undefined
  if (value === undefined || value === null) return 0
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object') return 1
  const known = lettersByObject.get(object) ?? new Map<string, number>()
  lettersByObject.set(object, known)
  const letters = known.get(field) ?? JSON.stringify(value).length
  known.set(field, letters)
  return letters
}

export type Where = { [key: string]: WireValue }

/** A `where` that is being read, its subqueries included. */
export type QueryParser = QueryScope & {
  conditions: number
  /** Patterns so far, and the letters of all of them. */
  patterns: { count: number; length: number }
  subqueries: number
  readonly read: (parser: QueryParser, schema: ClassSchema, where: Where) => Condition
}

export function countConditions(parser: QueryParser, more: number): void {
  const { conditionCount } = parser.config.requestComplexity
  parser.conditions += more
  if (parser.conditions > conditionCount) {
    throw new CountersignError('InvalidQuery', `A query may have ${conditionCount} conditions at most.`)
  }
}

/** Rejects conditions on hidden fields: neither the result nor its order may confirm a guess. */
export function checkAskable({ config, access }: QueryScope, schema: ClassSchema, field: string): void {
  if (access.isMaster || !hiddenFields(config, schema, access).unaskable.has(field)) return
  throw new CountersignError(
    'OperationForbidden',
    `This user is not allowed to query ${field} on class ${schema.className}.`,
  )
}

/** Caller and limits of a query. */
export type QueryScope = {
  readonly classes: Classes
  readonly config: Config
  readonly access: Access
  readonly now: Date
}

/** Pattern of names in a query. */
const pattern = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*$/

const deepestPath = 20

/** Fields of every document besides its own. */
const baseFields = new Map<string, FieldType>([
  ['objectId', { type: 'String' }],
  ['createdAt', { type: 'Date' }],
  ['updatedAt', { type: 'Date' }],
])

/** Rejects a name that no field can have (105). Returns its parts. */
export function readName(name: string, what = 'key name'): [field: string, ...path: string[]] {
  const parts = name.split('.')
  if (
    !pattern.test(name) ||
    parts.length > deepestPath ||
    parts.some((part) => part === 'constructor' || part === '__proto__')
  )
    throw new CountersignError('InvalidKeyName', `Invalid ${what}: ${name.slice(0, 100)}.`)
  return parts as [string, ...string[]]
}

/** The place that a name stands for; `undefined` where the class has no such column, or nothing can lie there. */
export function resolvePlace(schema: ClassSchema, [field, ...path]: readonly [string, ...string[]]): Place | undefined {
  const known = schema.fields.get(field) ?? baseFields.get(field)
  if (!known) return undefined
  if (path.length > 0 && known.type !== 'Object' && known.type !== 'Array' && known.type !== 'File') return undefined
  return { field, type: known.type, path, ...(known.targetClass !== undefined && { targetClass: known.targetClass }) }
}

/** Returns true inside JSON, where each value has a type of its own. */
export function isJson({ type, path }: Place): boolean {
  return path.length > 0 || type === 'Array' || type === 'Object'
}

type Typed = { [key: string]: WireValue }

const deepestValue = 100

/**
 * Value as stored at the place, for equality; `undefined` if nothing there can equal it. Throws 111 if it is not a
 * value.
 */
export function fitValue(place: Place, value: WireValue): WireValue | undefined {
  const type = inferFieldType(value)
  // JSON has numbers that are larger than any that is kept.
  if (!type || (typeof value === 'number' && !Number.isFinite(value))) return undefined
  if (isJson(place)) {
    // A whole Object field holds no other types; a place inside it may.
    if (place.path.length === 0 && place.type === 'Object' && type.type !== 'Object') return undefined
    return storedForm(value, 0)
  }
  if (place.type === 'Date') return fitDate(value)
  // The id alone, which some clients write in place of the pointer.
  if (place.type === 'Pointer' && typeof value === 'string')
    return { __type: 'Pointer', className: String(place.targetClass), objectId: value }
  if (type.type !== place.type) return undefined
  const typed = value as Typed
  switch (place.type) {
    case 'Pointer':
      return typed.className === place.targetClass ? pointerOf(typed) : undefined
    case 'File':
      return { __type: 'File', name: typed.name as string }
    case 'Bytes':
      return { __type: 'Bytes', base64: Buffer.from(typed.base64 as string, 'base64').toString('base64') }
    case 'Polygon':
      return { __type: 'Polygon', coordinates: closed(typed.coordinates as [number, number][]) }
    case 'GeoPoint':
      return { __type: 'GeoPoint', latitude: typed.latitude as number, longitude: typed.longitude as number }
    default:
      return value
  }
}

/** A date by its type, or as the bare text that `createdAt` is on the wire. */
export function fitDate(value: WireValue): WireDate | undefined {
  const iso =
    typeof value === 'string' ? value : (value as Typed | null)?.__type === 'Date' ? (value as Typed).iso : undefined
  if (typeof iso !== 'string' || !/^[+-]?\d{4,6}-\d\d/.test(iso)) return undefined
  const time = Date.parse(iso)
  return Number.isNaN(time) ? undefined : { __type: 'Date', iso: new Date(time).toISOString() }
}

/** As JSON holds it: whole objects are kept as pointers. */
export function storedForm(value: WireValue, depth: number): WireValue {
  if (value === null || typeof value !== 'object') return value
  if (depth > deepestValue)
    throw new CountersignError('InvalidJson', `Values may be nested ${deepestValue} levels deep at most.`)
  if (Array.isArray(value)) return value.map((item) => storedForm(item, depth + 1))
  const typed = value as Typed
  if (typed.__type === 'Object') return pointerOf(typed)
  return Object.fromEntries(Object.entries(typed).map(([key, inner]) => [key, storedForm(inner, depth + 1)]))
}

function pointerOf(typed: Typed): WireValue {
  return { __type: 'Pointer', className: typed.className as string, objectId: typed.objectId as string }
}

function closed(points: [number, number][]): [number, number][] {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || (first[0] === last[0] && first[1] === last[1])) return points
  return [...points, first]
}

const expiryFields = new Map([
  ['_Session', 'expiresAt'],
  ['_Idempotency', 'expire'],
])

/** A session that is over is gone, also while its row waits for the sweep; a request id likewise. */
export function unexpired(schema: ClassSchema, now: Date): Condition {
  const field = expiryFields.get(schema.className)
  if (field === undefined) return always
  const place = { field, type: 'Date', path: [] } as const
  return { kind: 'compares', place, operator: '>', value: { __type: 'Date', iso: now.toISOString() } }
}
