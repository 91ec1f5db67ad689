import { CountersignError } from '@countersign/protocol'
import { type Change, relationsOf, typesOf } from '../classes/Change.ts'
import { type ClassSchema, emptySchema } from '../classes/ClassSchema.ts'
import { lacksNothing, missingFields } from '../classes/columns.ts'
import { readOnlyClass } from '../classes/createClasses.ts'
import { checkClassName } from '../classes/names.ts'
import { refuseOlderName } from '../classes/olderClasses.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { decideNewFields, mostFieldsFor } from '../permissions/checkWrite.ts'
import type { Decision } from '../permissions/Decision.ts'
import { decide } from '../permissions/decide.ts'
import type { Access } from '../roles/accessOf.ts'

/**
 * The requests that were carried out, as parse-server shows them to the master key: a view of what the server keeps for
 * itself, and so read-only and not among the classes of the application.
 */
const requests: ClassSchema = {
  ...emptySchema('_Idempotency'),
  fields: new Map([
    ['reqId', { type: 'String' }],
    ['expire', { type: 'Date' }],
  ]),
}

/**
 * Finds a class by name. An unknown one may have just been created on another server. A class of the older service that
 * is not kept is refused: code written for it would take an empty result for the truth.
 */
export async function findClass({ classes, db, config }: Context, className: string): Promise<ClassSchema | undefined> {
  const known = classes.find(className)
  if (known) return known
  if (className === requests.className) return requests
  const rows = await db.query(
    sql.named('find-class')`select 1 from countersign.classes where "className" = ${className}`,
  )
  if (rows.length === 0) {
    refuseOlderName(config, className)
    return undefined
  }
  await classes.refresh()
  return classes.find(className)
}

const ownWays = new Map([
  ['_User', '/users'],
  ['_Session', '/sessions'],
  ['_Installation', '/installations'],
])

/** Rejects classes whose writes have their own rules. Catches spellings that the router missed. */
export function rejectManagedClass({ classes }: Context, className: string): void {
  if (classes.find(className)?.source) throw readOnlyClass(className)
  if (className === requests.className) {
    throw new CountersignError(
      'OperationForbidden',
      `Objects of ${className} are the server's own. They can only be read.`,
    )
  }
  const way = ownWays.get(className)
  if (way) throw new CountersignError('OperationForbidden', `Objects of ${className} are written by ${way}.`)
}

/** The class of a new object, made and widened as the object needs it and the caller may. */
export async function fitNewObject(
  context: Context,
  access: Access,
  className: string,
  changes: Change[],
): Promise<ClassSchema> {
  const { classes, config } = context
  const fields = typesOf(changes)
  const relations = relationsOf(changes)
  const schema = classes.find(className)
  const most = mostFieldsFor(className, access)
  if (!schema) {
    checkClassName(className)
    const create = access.isMaster || config.allowClientClassCreation
    return classes.widen(className, fields, { relations, create, most })
  }
  decide(schema, access, 'create')
  if (lacksNothing(missingFields(schema, { fields, relations }))) return schema
  if (decideNewFields(config, schema, access).rows !== 'all') {
    throw new CountersignError('OperationForbidden', `Permission denied for action addField on class ${className}.`)
  }
  return classes.widen(className, fields, { relations, most })
}

/**
 * Class of an object to change, with its permissions. `reach` rejects objects that the caller may not write: without
 * write access, nobody may add fields to the class.
 */
export async function fitChange(
  context: Context,
  access: Access,
  schema: ClassSchema,
  changes: Change[],
  reach: (decisions: Decision[]) => Promise<void>,
): Promise<{ schema: ClassSchema; decisions: Decision[] }> {
  // An element of a list that no object has yet: what it would be counted up from is not there.
  const absent = changes.find(
    ({ field, path, kind }) => kind !== 'set' && /^\d+$/.test(path[0] ?? '') && !schema.fields.has(field),
  )
  if (absent) throw new CountersignError('IncorrectType', `There is no list ${absent.field} to change an element of.`)
  const wanted = { fields: typesOf(changes), relations: relationsOf(changes) }
  const decisions = [decide(schema, access, 'update')]
  if (lacksNothing(missingFields(schema, wanted))) return { schema, decisions }
  decisions.push(decideNewFields(context.config, schema, access))
  await reach(decisions)
  const widened = await context.classes.widen(schema.className, wanted.fields, {
    relations: wanted.relations,
    most: mostFieldsFor(schema.className, access),
  })
  return { schema: widened, decisions }
}
