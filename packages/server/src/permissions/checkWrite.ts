import { CountersignError, type WireChanges } from '@countersign/protocol'
import type { FieldTypeName } from '../classes/ClassSchema.ts'
import { lacksNothing, type MissingFields, missingFields } from '../classes/missingFields.ts'
import { readChanges } from '../classes/readChanges.ts'
import { relationsOf } from '../classes/relationsOf.ts'
import { typesOf } from '../classes/typesOf.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { accessOf } from '../roles/accessOf.ts'
import { needSession } from '../users/needSession.ts'
import { derivedFields } from '../users/readUserFields.ts'
import type { Decision } from './Decision.ts'
import { decide } from './decide.ts'
import { decideNewFields, mostFieldsFor } from './decideNewFields.ts'

/** Classes whose objects are written by statements of their own. */
type OwnClass = '_User' | '_Session'

/** What is no field of its own, or has rules of its own. */
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

/** What our own web application writes into users: made when it is first written, in production too. */
const webAppFields = new Map<string, FieldTypeName>([
  ['language', 'String'],
  ['avatar', 'File'],
])

/**
 * What the permissions of the class say to a write of a user or of a session. That it is the caller's own comes on top.
 * `objectId` is that of a user to be changed.
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
  // Who may write none of them must not widen their class.
  if (className === '_Session') needSession(caller)
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
