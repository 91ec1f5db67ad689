import type { ClassPermissions, FieldRecord, SchemaRecord, WireFields } from '@countersign/protocol'
import type { ClassIndex, ClassSchema } from '../ClassSchema.ts'

const base: { [name: string]: FieldRecord } = {
  objectId: { type: 'String' },
  createdAt: { type: 'Date' },
  updatedAt: { type: 'Date' },
  ACL: { type: 'ACL' },
}

/** Fields that clients see although they are not columns. */
const shown = new Map<string, { [name: string]: FieldRecord }>([
  ['_User', { password: { type: 'String' }, authData: { type: 'Object' } }],
  ['_Session', { sessionToken: { type: 'String' } }],
])

const operations = ['find', 'count', 'get', 'create', 'update', 'delete', 'addField'] as const

/** Every field of a class as the schema API shows it. */
export function fieldsOf(schema: ClassSchema): { [name: string]: FieldRecord } {
  const fields = { ...base, ...shown.get(schema.className) }
  for (const [name, field] of schema.fields) fields[name] = field
  for (const [name, targetClass] of schema.relations) fields[name] = { type: 'Relation', targetClass }
  return fields
}

/** Returns true for fields of every class, and for shown fields of this class that are not columns. */
export function isShownField(className: string, name: string): boolean {
  return Object.hasOwn(base, name) || Object.hasOwn(shown.get(className) ?? {}, name)
}

/** A class in the form of the schema API. */
export function encodeSchema(schema: ClassSchema): SchemaRecord {
  return {
    className: schema.className,
    fields: fieldsOf(schema),
    classLevelPermissions: encodePermissions(schema.permissions),
    ...(schema.indexes.size > 0 && { indexes: encodeIndexes(schema.indexes) }),
  }
}

/** Without permissions everything is open; if some are set, all others are closed. */
function encodePermissions(permissions: ClassPermissions | undefined): ClassPermissions {
  const open = permissions === undefined
  const every = Object.fromEntries(operations.map((operation) => [operation, open ? { '*': true as const } : {}]))
  return { ...every, protectedFields: open ? { '*': [] } : {}, ...permissions }
}

function encodeIndexes(indexes: ReadonlyMap<string, ClassIndex>): { [name: string]: WireFields } {
  return Object.fromEntries(
    [...indexes].map(([name, { fields, unique }]) => [
      name,
      { ...Object.fromEntries(fields), ...(unique && { unique: true }) },
    ]),
  )
}
