import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import { decodeAcl, defaultAcl } from '../classes/acl.ts'
import { initialValues, readRelated } from '../classes/Change.ts'
import { type ClassSchema, tableOf } from '../classes/ClassSchema.ts'
import { echoOf } from '../classes/compileChanges.ts'
import { withFreshClasses } from '../classes/createClasses.ts'
import { withFileUrls } from '../classes/fileUrls.ts'
import { joinTableName, readNewId } from '../classes/names.ts'
import { withLog } from '../classes/partitions/logWrites.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { type Insert, type InsertGroup, writeInsert } from '../db/createInsertGroup.ts'
import { isUniqueViolation } from '../db/databaseErrors.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { hasSaveHooks } from '../hooks/runHooks.ts'
import { decide, isGranted, refuseInternal } from '../permissions/decide.ts'
import { hiddenFields, omitHidden } from '../permissions/hiddenFields.ts'
import { type Access, accessOf } from '../roles/accessOf.ts'
import { checkNewRole, refuseNamedRole } from '../roles/checkRole.ts'
import { duplicateId, findClientId } from './clientIds.ts'
import { encodeColumns, insertShape } from './encodeColumns.ts'
import { fitNewObject } from './fitClass.ts'
import { type ObjectInput, readObject } from './readObject.ts'
import { rejectManagedClass } from './rejectManagedClass.ts'
import { fillFields } from './requiredFields.ts'
import { saveWithHooks } from './saveWithHooks.ts'

export type Created = { objectId: string; createdAt: string } & WireFields

/** Makes an object: one insert, with its relations, once the class is fit for it. */
export async function createObject(
  context: Context,
  caller: Caller,
  className: string,
  input: WireFields,
): Promise<Created> {
  const access = await accessOf(context, caller)
  rejectManagedClass(context, className, 'write')
  refuseInternal(access, className, 'create')
  const object = readObject(input)
  if (className === '_Role') return createRole(context, caller, access, object)
  return withFreshClasses(context.classes, () => insertObject(context, caller, className, object))
}

async function createRole(context: Context, caller: Caller, access: Access, object: ObjectInput): Promise<Created> {
  const { db, classes, config, roleCache } = context
  checkNewRole(object.changes, object.acl)
  const schema = classes.get('_Role')
  decide(schema, access, 'create')
  // Lists, permissions and gates refer to a role by name: creating one takes all its grants.
  if (!config.allowClientRoleCreation && !isGranted(schema, access, 'create')) {
    throw new CountersignError(
      'OperationForbidden',
      'Permission denied for action create on class _Role. Create roles with the master key, or allow users in the permissions of _Role.',
    )
  }
  const made = await withFreshClasses(classes, () =>
    db.transaction(async () => {
      const role = await insertObject(context, caller, '_Role', object)
      if (!access.isMaster) await refuseNamedRole(context, role.objectId)
      return role
    }),
  )
  db.afterCommit(() => roleCache.forgetAll())
  return made
}

/** The console brings an object back under the id that others point to. Ids of the server's own classes are never reused. */
function mayNameObject({ operator }: Caller, className: string): boolean {
  return operator === 'admin' && !className.startsWith('_')
}

/** The insert itself, for classes whose rules were looked after already. */
export async function insertObject(
  context: Context,
  caller: Caller,
  className: string,
  object: ObjectInput,
): Promise<Created> {
  const mayChoose =
    context.config.allowCustomObjectId ||
    mayNameObject(caller, className) ||
    findClientId(context, className, { objectId: object.objectId ?? null }) !== undefined
  const objectId = readNewId(mayChoose, object.objectId, className)
  const schema = await fitNewObject(context, await accessOf(context, caller), className, object.changes)
  if (object.acl || !schema.permissions?.ACL) return writeNew(context, caller, schema, objectId, object)
  const acl = defaultAcl(schema.permissions.ACL, caller.session?.userId)
  const made = await writeNew(context, caller, schema, objectId, { ...object, acl })
  // The client did not choose it, so the response shows it.
  return acl ? { ACL: decodeAcl(acl) as WireValue, ...made } : made
}

async function writeNew(
  context: Context,
  caller: Caller,
  schema: ClassSchema,
  objectId: string,
  object: ObjectInput,
): Promise<Created> {
  const group = caller.inserts
  const write = (fitting: ClassSchema, given: ObjectInput) => insertRow(context, fitting, objectId, given, { group })
  if (hasSaveHooks(context, schema.className)) return saveWithHooks(context, caller, { schema, object, write })
  const made = await write(schema, object)
  const { unaskable } = hiddenFields(context.config, schema, await accessOf(context, caller))
  return omitHidden(made, unaskable)
}

/**
 * The statement alone. `made` is when the object was made, where that is not now. In a `group` it shares the statement
 * with others.
 */
export async function insertRow(
  context: Context,
  schema: ClassSchema,
  objectId: string,
  object: ObjectInput,
  { made = context.clock.now(), group }: { made?: Date | undefined; group?: InsertGroup | undefined } = {},
): Promise<Created> {
  const { className } = schema
  const values = initialValues(object.changes)
  const filled = fillFields(schema, values)
  const now = made.toISOString()

  const [time, id] = [sql.param(now), sql.param(objectId)]
  const { fields, bound } = encodeColumns(schema, values, object.acl)
  const { key, names, row } = insertShape(schema, fields)
  const insert: Insert = {
    key,
    into: sql`insert into ${tableOf(schema)} (${names})`,
    row: sql.filled(row, [time, time, id, ...bound]),
  }
  const joins = [...readRelated(object.changes)].flatMap(([field, { added }], index) => {
    if (added.length === 0) return []
    const table = sql.table(joinTableName(className, field))
    return [
      sql`${sql.id(`joined${index}`)} as (
        insert into ${table} ("owningId", "relatedId") select ${id}, unnest(${added}::text[]))`,
    ]
  })
  const { db } = context
  // A distributed class logs each write in its transaction.
  const store = () => storeRow(db, insert, joins, schema.distributed ? undefined : group)
  await withLog(db, schema, { ids: [objectId], isNew: true, withOthers: joins.length > 0 }, store).catch(
    refuseDuplicate,
  )
  context.db.reportChange(className)
  const isPlain = object.changes.every(({ kind }) => kind === 'set')
  // The client cannot know the result of an operation.
  const results = isPlain ? {} : withFileUrls(context, echoOf(object.changes, Object.fromEntries(values)))
  return { objectId, createdAt: now, ...results, ...filled }
}

function storeRow(
  db: Context['db'],
  insert: Insert,
  joins: Fragment[],
  group: InsertGroup | undefined,
): Promise<unknown> {
  const statement = () => writeInsert(insert)
  if (joins.length > 0) return db.query(sql.prepared`with made as (${statement()}), ${sql.join(joins)} select`)
  // Inside a transaction the row belongs to it.
  return group && !db.inside() ? group.add(insert) : db.query(statement())
}

/** Converts a unique violation to the client's error. */
export function refuseDuplicate(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw duplicateId(error)
}

export const createObjectEndpoint = defineEndpoint('createObject', {
  location: (output, { className = '' }) =>
    `/classes/${encodeURIComponent(className)}/${(output as { objectId: string }).objectId}`,
  handle: ({ context, caller, input, params }) => createObject(context, caller, params.className, input),
})
