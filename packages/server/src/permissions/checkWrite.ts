import { CountersignError, type WireChanges } from '@countersign/protocol'
import { relationsOf, typesOf } from '../classes/Change.ts'
import type { ClassSchema, FieldTypeName } from '../classes/ClassSchema.ts'
import { lacksNothing, type MissingFields, missingFields } from '../classes/columns.ts'
import { isSystemClass } from '../classes/names.ts'
import { readChanges } from '../classes/readChanges.ts'
import type { Config } from '../config/Config.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { type Access, accessOf } from '../roles/accessOf.ts'
import { derivedFields } from '../users/readUserFields.ts'
import { requireSession } from '../users/sessions/sessions.ts'
import type { Decision } from './Decision.ts'
import { decide, isGranted } from './decide.ts'

/** Classes with their own statements for writes. */
type OwnClass = '_User' | '_Session'

/** Names that are not fields of their own, or have their own rules. */
const known = new Set([
  'objectId',
  'createdAt',
  'updatedAt',
  'ACL',
  'password',
  'authData',
  'sessionToken',
  ...derivedFields,
])

/** User fields of our own web application: created on the first write, in production too. */
const webAppFields = new Map<string, FieldTypeName>([
  ['language', 'String'],
  ['avatar', 'File'],
])

/**
 * Applies the class permissions to a write of a user or session. Ownership is checked in addition. `objectId` is the
 * user to change.
 */
export async function checkWrite(
  context: Context,
  caller: Caller,
  className: OwnClass,
  operation: 'create' | 'update' | 'delete',
  input: WireChanges,
  objectId?: string,
): Promise<void> {
  if (caller.isMaster) return
  // A caller who may write none of them must not add fields to their class.
  if (className === '_Session') requireSession(caller)
  if (objectId !== undefined && caller.session?.userId !== objectId) {
    throw new CountersignError('SessionMissing', `Cannot modify user ${objectId.slice(0, 64)}.`)
  }
  const schema = context.classes.get(className)
  if (schema.permissions) need(className, operation, decide(schema, await accessOf(context, caller), operation))
  await checkNewFields(context, caller, className, input)
}

/** Makes the fields that the class lacks, where the caller may add them. */
export async function checkNewFields(
  context: Context,
  caller: Caller,
  className: OwnClass,
  input: WireChanges,
): Promise<void> {
  if (caller.isMaster) return
  const schema = context.classes.get(className)
  const unknown = Object.entries(input).filter(([key]) => {
    const name = key.split('.')[0] ?? key
    return !known.has(name) && !schema.fields.has(name) && !schema.relations.has(name)
  })
  if (unknown.length === 0) return
  const changes = readChanges(Object.fromEntries(unknown))
  const wanted = { fields: typesOf(changes), relations: relationsOf(changes) }
  const missing = missingFields(schema, wanted)
  if (lacksNothing(missing)) return
  const access = await accessOf(context, caller)
  const isOurs = className === '_User' && isOfWebApp(missing)
  need(
    className,
    'addField',
    isOurs ? decide(schema, access, 'addField') : decideNewFields(context.config, schema, access),
  )
  const most = mostFieldsFor(className, access)
  await context.classes.widen(className, wanted.fields, { relations: wanted.relations, most })
}

function isOfWebApp({ fields, relations }: MissingFields): boolean {
  return relations.length === 0 && fields.every(([name, { type }]) => webAppFields.get(name) === type)
}

function need(className: OwnClass, operation: 'create' | 'update' | 'delete' | 'addField', decision: Decision): void {
  if (decision.rows === 'all') return
  // A session is its user's own, so a permission that goes by its pointer is the user's.
  if (decision.rows === 'pointing' && className === '_Session' && decision.fields.includes('user')) return
  throw new CountersignError('OperationForbidden', `Permission denied for action ${operation} on class ${className}.`)
}

/** Clients fill a class of the server's own so far and no further: the rest of its fields is the operator's. */
const mostByClients = 100

/**
 * Decides who may add fields. In production those of system classes are for operators: one user would fill them for
 * all.
 */
export function decideNewFields(config: Config, schema: ClassSchema, access: Access): Decision {
  const decision = decide(schema, access, 'addField')
  const { className } = schema
  if (access.isMaster || config.allowClientClassCreation || !isSystemClass(className)) return decision
  if (decision.rows === 'all' && !isGranted(schema, access, 'addField')) {
    throw new CountersignError(
      'OperationForbidden',
      `Permission denied for action addField on class ${className}. Add fields with the master key, or allow users in the permissions of the class.`,
    )
  }
  return decision
}

/** How many fields a class may have once the caller has added some; `undefined` for as many as any. */
export function mostFieldsFor(className: string, access: Access): number | undefined {
  return access.isMaster || !isSystemClass(className) ? undefined : mostByClients
}
