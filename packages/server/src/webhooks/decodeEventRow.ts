import type { WireFields } from '@countersign/protocol'
import type { ClassSchema, FieldType } from '../classes/ClassSchema.ts'
import { decodeObject, type JsonRow, toIso } from '../objects/decodeObject.ts'

/**
 * The object of an event. Its class may have changed since: values that the present type of their field cannot hold are
 * left out.
 */
export function decodeEventRow(schema: ClassSchema, row: JsonRow): WireFields {
  const fitting = { ...row }
  for (const [name, field] of schema.fields) {
    const stored = row[name]
    if (stored !== null && stored !== undefined && !fits(stored, field)) delete fitting[name]
  }
  return decodeObject(schema, fitting)
}

function fits(stored: unknown, { type }: FieldType): boolean {
  switch (type) {
    case 'Number':
      return typeof stored === 'number'
    case 'Boolean':
      return typeof stored === 'boolean'
    case 'Array':
      return Array.isArray(stored)
    case 'Polygon':
      return Array.isArray(stored) && stored.every((point) => Array.isArray(point) && point.length === 2)
    case 'Object':
      return typeof stored === 'object' && !Array.isArray(stored)
    case 'File':
      return (stored as { __type?: unknown }).__type === 'File'
    case 'Date':
      return typeof stored === 'string' && isTime(stored)
    case 'Bytes':
      return typeof stored === 'string' && /^\\x[\da-f]*$/.test(stored)
    case 'GeoPoint':
      return typeof stored === 'string' && /^\([^,()]+,[^,()]+\)$/.test(stored)
    default:
      return typeof stored === 'string'
  }
}

function isTime(text: string): boolean {
  try {
    return toIso(text) !== ''
  } catch {
    return false
  }
}
