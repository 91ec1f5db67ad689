import { type ClassOperation, CountersignError } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Access } from '../roles/Access.ts'
import type { Decision } from './Decision.ts'
import { refuseInternal } from './refuseInternal.ts'

const all: Decision = { rows: 'all' }
const none: Decision = { rows: 'none' }
const reading = new Set<ClassOperation>(['find', 'get', 'count'])

/** What the permissions of a class let the caller do. Throws 119, or 101 where only a sign-in is lacking. */
export function decide(schema: ClassSchema, access: Access, operation: ClassOperation): Decision {
  if (access.isMaster) return all
  const { className, permissions } = schema
  refuseInternal(access, className, operation)
  if (!permissions) return all
  const rights: { [entity: string]: true | string[] } = permissions[operation] ?? {}
  // Compared with true: what an object has by birth, such as `constructor`, is no right.
  if (access.entities.some((entity) => rights[entity] === true)) return all
  if (rights.requiresAuthentication === true) {
    if (access.userId !== undefined) return all
    throw new CountersignError('ObjectNotFound', 'Permission denied, user needs to be authenticated.')
  }
  const fields = pointerFields(permissions, rights, operation)
  if (fields.length === 0) {
    throw new CountersignError('OperationForbidden', `Permission denied for action ${operation} on class ${className}.`)
  }
  return access.userId === undefined ? none : { rows: 'pointing', fields, userId: access.userId }
}

/** Nothing points to anyone in an object that is not there yet, so pointers never grant its making. */
function pointerFields(
  permissions: NonNullable<ClassSchema['permissions']>,
  rights: { [entity: string]: true | string[] },
  operation: ClassOperation,
): string[] {
  if (operation === 'create') return []
  const ofClass = reading.has(operation) ? permissions.readUserFields : permissions.writeUserFields
  const ofOperation = Array.isArray(rights.pointerFields) ? rights.pointerFields : []
  return [...new Set([...(ofClass ?? []), ...ofOperation])]
}
