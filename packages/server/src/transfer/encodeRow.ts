import type { WireValue } from '@countersign/protocol'
import { type ClassSchema, describeType, type FieldType } from '../classes/ClassSchema.ts'
import { columns, inferFieldType, storable } from '../classes/columns.ts'
import { isFieldName } from '../classes/names.ts'
import type { ImportedObject, Note } from './readDocument.ts'

/** A row by its columns, in values that `json_to_recordset` reads. */
export type ImportedRow = { objectId: string } & Record<string, unknown>

const jsonTypes = new Set(['Object', 'Array', 'File'])

/** An object as the row of its class. A value that does not fit its column is left out, and reported. */
export function encodeRow(schema: ClassSchema, object: ImportedObject, note: Note): ImportedRow {
  const nulls: string[] = []
  const row: ImportedRow = {
    objectId: object.objectId,
    createdAt: object.createdAt,
    updatedAt: object.updatedAt,
    _rperm: object.acl._rperm,
    _wperm: object.acl._wperm,
  }
  for (const [name, value] of object.fields) {
    if (value === null && !schema.relations.has(name) && isFieldName(name)) nulls.push(name)
    const field = schema.fields.get(name)
    if (field && value !== null) {
      const fitted = fit(field, value)
      if (fitted === undefined) {
        note(
          `${schema.className}.${name} is ${describeType(field)}; values of other types were not imported.`,
          row.objectId,
        )
      } else row[name] = encode(field, fitted)
    }
  }
  if (nulls.length > 0) row._nulls = nulls
  return row
}

/** The value where it is of the field's type, or can be made so without loss. */
function fit(field: FieldType, value: WireValue): WireValue | undefined {
  let type: FieldType | undefined
  try {
    type = inferFieldType(value)
  } catch {
    return undefined
  }
  if (type?.type === field.type && (type.type !== 'Pointer' || type.targetClass === field.targetClass)) return value
  if (field.type === 'String' && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (field.type === 'Number' && typeof value === 'string' && String(Number(value)) === value) return Number(value)
  // As old dumps have it.
  if (field.type === 'Date' && typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value))
    return Number.isNaN(Date.parse(value)) ? undefined : { __type: 'Date', iso: value }
  return undefined
}

function encode(field: FieldType, value: WireValue): unknown {
  if (jsonTypes.has(field.type)) return storable(value)
  const stored = columns[field.type].encode(value)
  if (field.type === 'Polygon') return JSON.parse(stored as string)
  return Buffer.isBuffer(stored) ? `\\x${stored.toString('hex')}` : stored
}

/** The types that objects ask of fields that their class does not have yet. */
export function newFields(
  schema: ClassSchema | undefined,
  objects: ImportedObject[],
): { fields: Map<string, FieldType>; relations: Map<string, string> } {
  const fields = new Map<string, FieldType>()
  const relations = new Map<string, string>()
  for (const object of objects) {
    for (const [name, value] of object.fields) {
      if (value === null || schema?.fields.has(name) || schema?.relations.has(name) || fields.has(name)) continue
      const target = relationTarget(value)
      if (target !== undefined) {
        relations.set(name, target)
        continue
      }
      try {
        const type = inferFieldType(value)
        if (type) fields.set(name, type)
      } catch {
        // Reported when the value is left out.
      }
    }
  }
  return { fields, relations }
}

function relationTarget(value: WireValue): string | undefined {
  if (typeof value !== 'object' || value === null || Reflect.get(value, '__type') !== 'Relation') return undefined
  const className: unknown = Reflect.get(value, 'className')
  return typeof className === 'string' ? className : undefined
}
