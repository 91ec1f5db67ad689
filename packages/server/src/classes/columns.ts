import { CountersignError, type WireValue } from '@countersign/protocol'
import { type Fragment, sql } from '../db/sql.ts'
import { showText } from '../encoding/showText.ts'
import { type ClassSchema, describeType, type FieldType, type FieldTypeName } from './ClassSchema.ts'
import { defaultFieldNames, isClassName } from './names.ts'

type Column = {
  /** The column's type in SQL. */
  type: Fragment
  /** Wire value to bound parameter. */
  encode(value: WireValue): unknown
  /** Converts the driver's value to a wire value. */
  decode(stored: unknown, field: FieldType): WireValue
}

type Typed = { [key: string]: WireValue }

const plain = (type: Fragment): Column => ({ type, encode: (value) => value, decode: (stored) => stored as WireValue })

const json: Column = {
  type: sql`jsonb`,
  encode: (value) => JSON.stringify(storable(value)),
  decode: (stored) => stored as WireValue,
}

/** Column of each field type. */
export const columns: { [Type in FieldTypeName]: Column } = {
  // Compared byte by byte: the same order on every machine, and an index serves prefixes too.
  String: plain(sql`text collate "C"`),
  Number: plain(sql`double precision`),
  Boolean: plain(sql`boolean`),
  Object: json,
  Array: json,
  File: json,
  Date: {
    type: sql`timestamptz(3)`,
    encode: (value) => new Date((value as Typed).iso as string),
    decode: (stored) => ({ __type: 'Date', iso: (stored as Date).toISOString() }),
  },
  Pointer: {
    type: sql`text`,
    encode: (value) => (value as Typed).objectId,
    decode: (stored, field) => ({ __type: 'Pointer', className: field.targetClass ?? '', objectId: stored as string }),
  },
  Bytes: {
    type: sql`bytea`,
    encode: (value) => Buffer.from((value as Typed).base64 as string, 'base64'),
    decode: (stored) => ({ __type: 'Bytes', base64: (stored as Buffer).toString('base64') }),
  },
  // PostgreSQL's point is (x, y): longitude first.
  GeoPoint: {
    type: sql`point`,
    encode: (value) => `(${(value as Typed).longitude},${(value as Typed).latitude})`,
    decode: (stored) => {
      const point = stored as { x: number; y: number }
      return { __type: 'GeoPoint', latitude: point.y, longitude: point.x }
    },
  },
  // Stored as jsonb in wire order: PostgreSQL's polygon would come back as text, and its operators take a cast.
  Polygon: {
    type: sql`jsonb`,
    encode: (value) => JSON.stringify(closePolygon((value as Typed).coordinates as [number, number][])),
    decode: (stored) => ({ __type: 'Polygon', coordinates: stored as [number, number][] }),
  },
}

/** Whole objects inside arrays and objects are kept as pointers; their own row is the truth. */
export function storable(value: WireValue): WireValue {
  if (Array.isArray(value)) return value.map(storable)
  if (value === null || typeof value !== 'object') return value
  const typed = value as Typed
  if (typed.__type === 'Object')
    return { __type: 'Pointer', className: typed.className ?? '', objectId: typed.objectId ?? '' }
  return Object.fromEntries(Object.entries(typed).map(([key, inner]) => [key, storable(inner)]))
}

type Point = [latitude: number, longitude: number]

/** A polygon reads back closed: its first point stands at its end too. */
export function closePolygon(points: Point[]): Point[] {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || (first[0] === last[0] && first[1] === last[1])) return points
  return [...points, first]
}

/** A longer text would be refused as a whole, in a query too: one such object would end every search of its class. */
const mostLetters = 100_000

/** Full-text vector of a column in SQL. Index and query must be written alike to match. */
export function textVector(column: Fragment, language = 'english'): Fragment {
  // Cut twice, since a letter may stand for many when its accents are taken apart.
  const text = sql`left(countersign.fold_text(left(${column}, ${sql.raw(mostLetters)})), ${sql.raw(mostLetters)})`
  return sql`to_tsvector('${sql.raw(language)}'::regconfig, ${text})`
}

/** The type that a value on the wire has; `undefined` for null, which fits every field. */
export function inferFieldType(value: WireValue): FieldType | undefined {
  if (value === null) return undefined
  if (typeof value === 'string') return { type: 'String' }
  if (typeof value === 'boolean') return { type: 'Boolean' }
  if (typeof value === 'number') return { type: 'Number' }
  if (Array.isArray(value)) return { type: 'Array' }
  return Object.hasOwn(value, '__type') ? inferTyped(value as Record<string, WireValue>) : { type: 'Object' }
}

function inferTyped(value: Record<string, WireValue>): FieldType {
  switch (value.__type) {
    case 'Date':
      if (typeof value.iso === 'string' && !Number.isNaN(Date.parse(value.iso))) return { type: 'Date' }
      break
    case 'Pointer':
    case 'Object':
      if (isText(value.className) && isClassName(value.className) && isText(value.objectId))
        return { type: 'Pointer', targetClass: value.className }
      break
    case 'File':
      if (isText(value.name)) return { type: 'File' }
      break
    case 'GeoPoint':
      if (Number.isFinite(value.latitude) && Number.isFinite(value.longitude)) return { type: 'GeoPoint' }
      break
    case 'Bytes':
      if (typeof value.base64 === 'string' && isBase64(value.base64)) return { type: 'Bytes' }
      break
    case 'Polygon':
      if (isPolygon(value.coordinates)) return { type: 'Polygon' }
      break
  }
  throw new CountersignError('IncorrectType', `This is not a valid ${showText(value.__type, 50)}`)
}

function isText(value: WireValue | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function isPolygon(coordinates: WireValue | undefined): boolean {
  if (!Array.isArray(coordinates)) return false
  const points = coordinates.filter(
    (point) => Array.isArray(point) && point.length === 2 && point.every((part) => Number.isFinite(part)),
  )
  return points.length === coordinates.length && new Set(points.map((point) => String(point))).size >= 3
}

/** Fields that a write needs: columns, and relations with their target class. */
export type WantedFields = {
  fields: ReadonlyMap<string, FieldType>
  relations: ReadonlyMap<string, string>
}

export type MissingFields = { fields: [string, FieldType][]; relations: [string, string][] }

/** Returns the fields that the class lacks. Rejects a type that differs from the field's own. */
export function missingFields(schema: ClassSchema, wanted: WantedFields): MissingFields {
  const missing: MissingFields = { fields: [], relations: [] }
  for (const [name, field] of wanted.fields) {
    const present = typeIn(schema, name)
    if (present === undefined) missing.fields.push([name, field])
    else if (present !== describeType(field)) refuse(schema, name, present, describeType(field))
  }
  for (const [name, targetClass] of wanted.relations) {
    const present = typeIn(schema, name)
    if (present === undefined) missing.relations.push([name, targetClass])
    else if (present !== `Relation<${targetClass}>`) refuse(schema, name, present, `Relation<${targetClass}>`)
  }
  checkGeoPoints(schema, missing)
  return missing
}

export function lacksNothing(missing: MissingFields): boolean {
  return missing.fields.length === 0 && missing.relations.length === 0
}

function typeIn(schema: ClassSchema, name: string): string | undefined {
  if (defaultFieldNames.has(name)) {
    throw new CountersignError('InvalidKeyName', `${name} is an invalid field name.`)
  }
  const field = schema.fields.get(name)
  if (field) return describeType(field)
  const relation = schema.relations.get(name)
  return relation === undefined ? undefined : `Relation<${relation}>`
}

function refuse({ className }: ClassSchema, name: string, present: string, wanted: string): never {
  throw new CountersignError(
    'IncorrectType',
    `schema mismatch for ${className}.${name}; expected ${present} but got ${wanted}`,
  )
}

/** As in parse-server: `$near` could not tell which of two was meant. */
function checkGeoPoints(schema: ClassSchema, { fields }: MissingFields): void {
  const added = fields.filter(([, { type }]) => type === 'GeoPoint').map(([name]) => name)
  if (added.length === 0) return
  const present = [...schema.fields].filter(([, { type }]) => type === 'GeoPoint').map(([name]) => name)
  const [first, second] = [...present, ...added]
  if (second === undefined) return
  throw new CountersignError(
    'IncorrectType',
    `currently, only one GeoPoint field may exist in an object. Adding ${second} when ${first} already exists.`,
  )
}

/** Of either alphabet, with or without its padding. What is not would be kept as something else, or as nothing. */
function isBase64(text: string): boolean {
  const bare = text.replace(/={1,2}$/, '')
  return /^[A-Za-z0-9+/_-]*$/.test(bare) && bare.length % 4 !== 1
}
