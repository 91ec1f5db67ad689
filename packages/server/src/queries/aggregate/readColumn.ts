import type { FieldType } from '../../classes/ClassSchema.ts'
import type { Value } from './Value.ts'

/** A column of a class's table as a value of the pipeline. */
export function readColumn(sql: string, field: FieldType): Value {
  switch (field.type) {
    case 'String':
      return { sql, type: 'text', optional: true }
    case 'Number':
      return { sql, type: 'number', optional: true }
    case 'Boolean':
      return { sql, type: 'boolean', optional: true }
    case 'Date':
      return { sql, type: 'date', optional: true }
    case 'Pointer':
      return { sql, type: 'pointer', targetClass: field.targetClass ?? '', optional: true }
    case 'Array':
      return { sql, type: 'json', optional: true }
    case 'GeoPoint':
      return typed(sql, `'__type', 'GeoPoint', 'latitude', ${sql}[1], 'longitude', ${sql}[0]`)
    case 'Polygon':
      return typed(sql, `'__type', 'Polygon', 'coordinates', ${sql}`)
    case 'Bytes':
      return typed(sql, `'__type', 'Bytes', 'base64', translate(encode(${sql}, 'base64'), e'\\n', '')`)
    default:
      return { sql, type: 'json', isObject: true, optional: true }
  }
}

function typed(sql: string, parts: string): Value {
  return {
    sql: `case when ${sql} is not null then jsonb_build_object(${parts}) end`,
    type: 'json',
    isObject: true,
    optional: true,
  }
}
