import { type ClassOperation, type ClassRight, CountersignError, refuse } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import type { Access } from '../roles/accessOf.ts'
import { allowsClass } from '../scopes/Scope.ts'
import type { Decision } from './Decision.ts'

const all: Decision = { rows: 'all' }

const none: Decision = { rows: 'none' }

const reading = new Set<ClassOperation>(['find', 'get', 'count'])

/** Permissions of a class for the caller. Throws 119, or 101 if only a sign-in is missing. */
export function decide(schema: ClassSchema, access: Access, operation: ClassOperation): Decision {
  const { className, permissions } = schema
  if (access.scope) refuseBeyondScope(access, className, operation)
  if (access.isMaster) return all
  refuseInternal(access, className, operation)
  if (!permissions) return all
  const rights: { [entity: string]: true | string[] } = permissions[operation] ?? {}
  // Compared with true: an inherited property, such as `constructor`, is no right.
  if (access.entities.some((entity) => rights[entity] === true)) return all
  if (rights.requiresAuthentication === true) {
    if (isAuthenticated(access)) return all
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

/** Permissions of a class for the caller; `undefined` if there are none. */
export function findDecision(schema: ClassSchema, access: Access, operation: ClassOperation): Decision | undefined {
  try {
    const decision = decide(schema, access, operation)
    return decision.rows === 'none' ? undefined : decision
  } catch (error) {
    if (error instanceof CountersignError) return undefined
    throw error
  }
}

/**
 * Returns true if the permissions name the caller, for operations reserved to the operator by default. `*` does not
 * count: a class without permissions shows it, and a tool that writes back what it read must not open anything.
 */
export function isGranted({ permissions }: ClassSchema, access: Access, operation: ClassOperation): boolean {
  const rights: { [entity: string]: true | string[] } = permissions?.[operation] ?? {}
  if (access.isMaster) return true
  if (rights.requiresAuthentication === true && isAuthenticated(access)) return true
  return access.entities.some((entity) => entity !== '*' && rights[entity] === true)
}

/** Classes that hold what the server itself works with. */
const internal = new Set([
  '_JobStatus',
  '_PushStatus',
  '_Hooks',
  '_GlobalConfig',
  '_GraphQLConfig',
  '_JobSchedule',
  '_Audience',
  '_Idempotency',
])

const devices = new Set<ClassOperation>(['find', 'get', 'count', 'delete'])

/** Returns true for users and service accounts. */
export function isAuthenticated({ userId, serviceId }: Access): boolean {
  return userId !== undefined || serviceId !== undefined
}

const rightsOf: Record<ClassOperation, readonly ClassRight[]> = {
  find: ['read'],
  get: ['read'],
  count: ['read'],
  create: ['create'],
  update: ['update'],
  delete: ['delete'],
  // A new field comes with a write.
  addField: ['create', 'update'],
}

/** Rejects classes outside the scope of a token, existing or not, with the error of missing permissions (119). */
function refuseBeyondScope({ scope }: Access, className: string, operation: ClassOperation): void {
  if (!scope || rightsOf[operation].some((right) => allowsClass(scope, className, right))) return
  const needed = `${className.slice(0, 100)}:${rightsOf[operation][0]}`
  throw refuse('insufficientScope', { scope: needed })
}

/** Rejects operations reserved to the master key (119), before the class is looked up. */
export function refuseInternal(access: Access, className: string, operation: ClassOperation): void {
  if (access.scope) refuseBeyondScope(access, className, operation)
  if (access.isMaster || !className.startsWith('_')) return
  // A device must not learn of the others, nor end their pushes. `getObject` knows whose a device is.
  const isDevice = className === '_Installation' && devices.has(operation)
  if (!isDevice && !internal.has(className) && !className.startsWith('_Join:')) return
  throw new CountersignError(
    'OperationForbidden',
    `Clients aren't allowed to perform the ${operation} operation on the ${isDevice ? 'installation' : className.slice(0, 100)} collection.`,
  )
}
