import type { WireFields, WireValue } from '@countersign/protocol'
import { decodeAcl, type StoredAcl } from './acl.ts'
import type { ClassSchema } from './ClassSchema.ts'
import { columns } from './columns.ts'

/** The columns that every class has besides its fields. */
export type BaseRow = StoredAcl & { objectId: string; createdAt: Date; updatedAt: Date; _nulls: string[] | null }

/** Columns to select for `decodeRow`, in a fixed order. */
export function columnNames(schema: ClassSchema): string[] {
  return ['objectId', 'createdAt', 'updatedAt', '_rperm', '_wperm', '_nulls', ...schema.fields.keys()]
}

/** A row as the object that crosses the wire. A field that was never set is absent; one set to null is null. */
export function decodeRow(schema: ClassSchema, row: BaseRow & Record<string, unknown>): WireFields {
  const object: WireFields = {
    objectId: row.objectId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
  for (const [name, field] of schema.fields) {
    const stored = row[name]
    if (stored !== null && stored !== undefined) object[name] = columns[field.type].decode(stored, field)
  }
  for (const name of row._nulls ?? []) object[name] = null
  const acl = decodeAcl(row)
  if (acl) object.ACL = acl as WireValue
  return object
}
