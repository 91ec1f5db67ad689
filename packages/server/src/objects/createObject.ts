import { CountersignError, type WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { columns } from '../classes/columns.ts'
import { initialValues } from '../classes/initialValues.ts'
import { joinTableName } from '../classes/joinTableName.ts'
import { newObjectId } from '../classes/newObjectId.ts'
import { readRelated } from '../classes/readRelated.ts'
import { withFreshClasses } from '../classes/withFreshClasses.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { createBindings, quote, tableOf } from '../db/createBindings.ts'
import { nameStatement } from '../db/nameStatement.ts'
import { decide } from '../permissions/decide.ts'
import { isGranted } from '../permissions/isGranted.ts'
import { refuseInternal } from '../permissions/refuseInternal.ts'
import type { Access } from '../roles/Access.ts'
import { accessOf } from '../roles/accessOf.ts'
import { checkNewRole, refuseNamedRole } from '../roles/checkRole.ts'
import { fillFields } from './fillFields.ts'
import { fitNewObject } from './fitClass.ts'
import { type ObjectInput, readObject } from './readObject.ts'
import { refuseDuplicate } from './refuseDuplicate.ts'
import { refuseOwnWays } from './refuseOwnWays.ts'
import { hasSaveHooks, saveWithHooks } from './saveWithHooks.ts'

export type Created = { objectId: string; createdAt: string } & WireFields

/** Makes an object: one insert, with its relations, once the class is fit for it. */
export async function createObject(
  context: Context,
  caller: Caller,
  className: string,
  input: WireFields,
): Promise<Created> {
  const access = await accessOf(context, caller)
  refuseOwnWays(className)
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
  // Lists, permissions and gates go by the name of a role: who makes one takes what they grant to it.
  if (!config.allowClientRoleCreation && !isGranted(schema, access, 'create')) {
    throw new CountersignError(
      'OperationForbidden',
      'Permission denied for action create on class _Role. Roles are made with the master key, or by those whom the permissions of _Role name.',
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

/** The insert itself, for classes whose rules were looked after already. */
export async function insertObject(
  context: Context,
  caller: Caller,
  className: string,
  object: ObjectInput,
): Promise<Created> {
  const objectId = readNewId(context, object)
  const schema = await fitNewObject(context, await accessOf(context, caller), className, object.changes)
  const write = (fitting: ClassSchema, given: ObjectInput) => insertRow(context, fitting, objectId, given)
  if (!hasSaveHooks(context, className)) return write(schema, object)
  return saveWithHooks(context, caller, { schema, object, write })
}

async function insertRow(
  context: Context,
  schema: ClassSchema,
  objectId: string,
  object: ObjectInput,
): Promise<Created> {
  const { className } = schema
  const values = initialValues(object.changes)
  const filled = fillFields(schema, values)
  const now = context.clock.now().toISOString()

  const bindings = createBindings()
  const time = bindings.bind(now)
  const names = ['"createdAt"', '"updatedAt"', '"objectId"']
  const id = bindings.bind(objectId)
  const placeholders = [time, time, id]
  const put = (name: string, value: unknown, type: string) => {
    names.push(quote(name))
    // With its type: a statement that was prepared for a text must not be used once the field is a number.
    placeholders.push(`${bindings.bind(value)}::${type}`)
  }
  const nulls: string[] = []
  for (const [name, value] of values) {
    const type = schema.fields.get(name)?.type
    if (value === null) nulls.push(name)
    else if (type) put(name, columns[type].encode(value), columns[type].sql)
  }
  if (nulls.length > 0) put('_nulls', nulls, 'text[]')
  if (object.acl?._rperm) put('_rperm', object.acl._rperm, 'text[]')
  if (object.acl?._wperm) put('_wperm', object.acl._wperm, 'text[]')

  const insert = `insert into ${tableOf(className)} (${names.join(', ')}) values (${placeholders.join(', ')})`
  const joins = [...readRelated(object.changes)].flatMap(([field, { added }]) => {
    if (added.length === 0) return []
    const table = tableOf(joinTableName(className, field))
    return [`insert into ${table} ("owningId", "relatedId") select ${id}, unnest(${bindings.bind(added)}::text[])`]
  })
  const text =
    joins.length === 0
      ? insert
      : `with made as (${insert}), ${joins.map((join, index) => `joined${index} as (${join})`).join(', ')} select`
  await context.db.query(nameStatement(text, bindings.values)).catch(refuseDuplicate)
  return { objectId, createdAt: now, ...filled }
}

/** Ids of one's own choice must not pass for a role or for everyone in an access list, nor break a path. */
const customId = /^(?!role:)[\w.~@:|+=-]{1,200}$/

function readNewId({ config }: Context, { objectId }: ObjectInput): string {
  if (objectId === undefined && !config.allowCustomObjectId) return newObjectId()
  if (!config.allowCustomObjectId) {
    throw new CountersignError('InvalidKeyName', 'objectId is an invalid field name.')
  }
  if (objectId === undefined) return newObjectId()
  if (objectId === null || objectId === '') {
    throw new CountersignError('MissingObjectId', 'objectId must not be empty, null or undefined')
  }
  if (typeof objectId !== 'string' || !customId.test(objectId)) {
    throw new CountersignError(
      'InvalidKeyName',
      'An objectId may hold letters, digits and _.~@:|+=- only, and may not start with "role:".',
    )
  }
  return objectId
}
