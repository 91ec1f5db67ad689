import type { WireFields, WireValue } from '@countersign/protocol'
import { decodeAcl, type StoredAcl } from '../classes/acl.ts'
import type { ClassSchema, FieldType } from '../classes/ClassSchema.ts'
import { reviveDate } from '../classes/decodeRow.ts'
import { manyColumns } from './find/writeSparseRow.ts'

/** A row that the database gave as JSON. */
export type JsonRow = StoredAcl & {
  objectId: string
  createdAt: string
  updatedAt: string
  _nulls: string[] | null
} & {
  [column: string]: unknown
}

/**
 * A row as the object that crosses the wire, straight from the database's JSON. Columns that were not asked for are
 * absent, and so are fields that were never set.
 */
export function decodeObject(schema: ClassSchema, row: JsonRow, wanted?: ReadonlySet<string>): WireFields {
  const object: WireFields = {
    objectId: row.objectId,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  }
  if (schema.fields.size < manyColumns) {
    for (const [name, field] of schema.fields) {
      const stored = row[name]
      if (stored !== null && stored !== undefined) object[name] = decodeValue(stored, field)
    }
  } else {
    // Rows of wide classes hold few of the fields, in the order of the class.
    for (const name in row) {
      const stored = row[name]
      const field = stored === null ? undefined : schema.fields.get(name)
      if (field) object[name] = decodeValue(stored, field)
    }
  }
  if (row._nulls) for (const name of row._nulls) if (!wanted || wanted.has(name)) object[name] = null
  for (const [name, className] of schema.relations) {
    if (!wanted || wanted.has(name)) object[name] = { __type: 'Relation', className }
  }
  if (row._rperm || row._wperm) object.ACL = decodeAcl(row) as WireValue
  return object
}

/** A column of a row that the database gave as JSON, as its field crosses the wire. */
export function decodeValue(stored: unknown, field: FieldType): WireValue {
  switch (field.type) {
    case 'Date':
      return { __type: 'Date', iso: toIso(stored as string) }
    case 'Pointer':
      return { __type: 'Pointer', className: field.targetClass ?? '', objectId: stored as string }
    case 'Bytes':
      return { __type: 'Bytes', base64: Buffer.from((stored as string).slice(2), 'hex').toString('base64') }
    case 'GeoPoint': {
      const [longitude = 0, latitude = 0] = (stored as string).slice(1, -1).split(',').map(Number)
      return { __type: 'GeoPoint', latitude, longitude }
    }
    case 'Polygon':
      return { __type: 'Polygon', coordinates: stored as [number, number][] }
    default:
      return stored as WireValue
  }
}

/** `2020-01-01T00:00:00.1+00:00`, as the database writes a time, with the three digits that the wire has. */
export function toIso(text: string): string {
  // Years of more than four digits, and those before Christ, are for the slow way.
  if (text.charCodeAt(4) === 45 && text.endsWith('+00:00')) {
    switch (text.length) {
      case 29:
        return `${text.slice(0, 23)}Z`
      case 28:
        return `${text.slice(0, 22)}0Z`
      case 27:
        return `${text.slice(0, 21)}00Z`
      case 25:
        return `${text.slice(0, 19)}.000Z`
    }
  }
  return reviveDate(text).toISOString()
}
