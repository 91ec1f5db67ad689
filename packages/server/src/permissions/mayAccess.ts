import type { WireFields, WireValue } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Access } from '../roles/accessOf.ts'
import type { Decision } from './Decision.ts'

/** Checks read or write access to a document in wire form. Must agree with `writeRowFilter`. */
export function mayAccess(
  schema: ClassSchema,
  access: Access,
  decision: Decision,
  right: 'read' | 'write',
  object: WireFields,
): boolean {
  if (access.isMaster) return true
  if (decision.rows === 'none') return false
  if (schema.className === '_Session') return pointsTo(object.user, access.userId)
  if (!isListed(schema, access, right, object)) return false
  if (decision.rows === 'all') return true
  return decision.fields.some((name) => {
    const field = schema.fields.get(name)
    if (field?.type === 'Pointer') return field.targetClass === '_User' && pointsTo(object[name], decision.userId)
    return field?.type === 'Array' && namesUser(object[name], decision.userId)
  })
}

function isListed(schema: ClassSchema, access: Access, right: 'read' | 'write', object: WireFields): boolean {
  if (!Object.hasOwn(object, 'ACL') || object.ACL === undefined || object.ACL === null) return true
  if (schema.className === '_User' && access.userId !== undefined && object.objectId === access.userId) return true
  const acl = object.ACL as { [entity: string]: { [right: string]: boolean } }
  return access.entities.some((entity) => Object.hasOwn(acl, entity) && acl[entity]?.[right] === true)
}

/** Returns true for the user, or a list that contains the user. */
export function namesUser(value: WireValue | undefined, userId: string | undefined): boolean {
  return Array.isArray(value) ? value.some((item) => pointsTo(item, userId)) : pointsTo(value, userId)
}

function pointsTo(value: WireValue | undefined, userId: string | undefined): boolean {
  if (userId === undefined || value === null || typeof value !== 'object' || Array.isArray(value)) return false
  const pointer = value as { [key: string]: WireValue }
  // An included user takes the place of its pointer.
  return (
    (pointer.__type === 'Pointer' || pointer.__type === 'Object') &&
    pointer.className === '_User' &&
    pointer.objectId === userId
  )
}
