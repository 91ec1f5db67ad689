import type { WireValue } from '@countersign/protocol'
import type { FieldType, FieldTypeName } from './ClassSchema.ts'
import { closePolygon } from './closePolygon.ts'

type Column = {
  /** The column's type in SQL. */
  sql: string
  /** Wire value to bound parameter. */
  encode(value: WireValue): unknown
  /** What the driver gives to wire value. */
  decode(stored: unknown, field: FieldType): WireValue
}

type Typed = { [key: string]: WireValue }

const plain = (sql: string): Column => ({ sql, encode: (value) => value, decode: (stored) => stored as WireValue })
const json: Column = {
  sql: 'jsonb',
  encode: (value) => JSON.stringify(storable(value)),
  decode: (stored) => stored as WireValue,
}

/** How each type of field lies in its column. */
export const columns: { [Type in FieldTypeName]: Column } = {
  // Compared byte by byte: the same order on every machine, and an index serves prefixes too.
  String: plain('text collate "C"'),
  Number: plain('double precision'),
  Boolean: plain('boolean'),
  Object: json,
  Array: json,
  File: json,
  Date: {
    sql: 'timestamptz(3)',
    encode: (value) => new Date((value as Typed).iso as string),
    decode: (stored) => ({ __type: 'Date', iso: (stored as Date).toISOString() }),
  },
  Pointer: {
    sql: 'text',
    encode: (value) => (value as Typed).objectId,
    decode: (stored, field) => ({ __type: 'Pointer', className: field.targetClass ?? '', objectId: stored as string }),
  },
  Bytes: {
    sql: 'bytea',
    encode: (value) => Buffer.from((value as Typed).base64 as string, 'base64'),
    decode: (stored) => ({ __type: 'Bytes', base64: (stored as Buffer).toString('base64') }),
  },
  // PostgreSQL's point is (x, y): longitude first.
  GeoPoint: {
    sql: 'point',
    encode: (value) => `(${(value as Typed).longitude},${(value as Typed).latitude})`,
    decode: (stored) => {
      const point = stored as { x: number; y: number }
      return { __type: 'GeoPoint', latitude: point.y, longitude: point.x }
    },
  },
  // Stored as jsonb in wire order: PostgreSQL's polygon would come back as text, and its operators take a cast.
  Polygon: {
    sql: 'jsonb',
    encode: (value) => JSON.stringify(closePolygon((value as Typed).coordinates as [number, number][])),
    decode: (stored) => ({ __type: 'Polygon', coordinates: stored as [number, number][] }),
  },
}

/** Whole objects inside arrays and objects are kept as pointers; their own row is the truth. */
function storable(value: WireValue): WireValue {
  if (Array.isArray(value)) return value.map(storable)
  if (value === null || typeof value !== 'object') return value
  const typed = value as Typed
  if (typed.__type === 'Object')
    return { __type: 'Pointer', className: typed.className ?? '', objectId: typed.objectId ?? '' }
  return Object.fromEntries(Object.entries(typed).map(([key, inner]) => [key, storable(inner)]))
}
