import { refuse } from '@countersign/protocol'
import { type ClassSchema, tableOf } from '../classes/ClassSchema.ts'
import { withFreshClasses } from '../classes/createClasses.ts'
import { joinTableName } from '../classes/names.ts'
import { dropRelated, withLog } from '../classes/partitions/logWrites.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { type Fragment, sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { deleteWithHooks, hasDeleteHooks } from '../hooks/deleteWithHooks.ts'
import { decide, refuseInternal } from '../permissions/decide.ts'
import { accessOf } from '../roles/accessOf.ts'
import { findClass } from './findClass.ts'
import { buildWriteFilter, lockObject } from './lockObject.ts'
import { rejectManagedClass } from './rejectManagedClass.ts'
import { whileUnchanged } from './whileUnchanged.ts'

/** Deletes an object that the caller may write, with its relations. */
export async function deleteObject(
  context: Context,
  caller: Caller,
  className: string,
  objectId: string,
): Promise<Record<never, never>> {
  const access = await accessOf(context, caller)
  rejectManagedClass(context, className, 'delete')
  refuseInternal(access, className, 'delete')
  const gone = await withFreshClasses(context.classes, async () => {
    const schema = await findClass(context, className)
    if (!schema) return []
    const decisions = [decide(schema, access, 'delete')]
    const where = buildWriteFilter(schema, access, objectId, decisions)
    const statement = sql.prepared`delete from ${tableOf(schema)} as o where ${where} returning "objectId"`
    const remove = () =>
      removeRow(context, schema, objectId, className === '_Role' ? withoutHolders(statement) : statement)
    if (!hasDeleteHooks(context, className)) return remove()
    return deleteWithHooks(context, caller, className, {
      getObject: () => lockObject(context, access, schema, objectId, decisions),
      remove,
    })
  })
  if (gone.length === 0) throw refuse('objectNotFound')
  context.db.reportChange(className)
  if (className === '_Role') context.db.afterCommit(() => context.roleCache.forgetAll())
  return {}
}

/** The deletion itself. Relations of a local class go with the object by their reference to it. */
function removeRow(
  { db }: Context,
  schema: ClassSchema,
  objectId: string,
  statement: Fragment,
): Promise<Record<string, unknown>[]> {
  if (!schema.distributed) return db.query(statement)
  return withLog(db, schema, { ids: [objectId], withOthers: schema.relations.size > 0 }, async () => {
    const gone = await db.query(statement)
    if (gone.length > 0)
      await dropRelated(
        db,
        schema,
        gone.map(() => objectId),
      )
    return gone
  })
}

/** Removes the role from its parents. If clients choose ids, a new role with this id would inherit their rights. */
function withoutHolders(statement: Fragment): Fragment {
  return sql.prepared`
    with gone as (${statement}), left_alone as (
      delete from ${sql.table(joinTableName('_Role', 'roles'))} where "relatedId" in (select "objectId" from gone)
    )
    select 1 from gone`
}

export const deleteObjectEndpoint = defineEndpoint('deleteObject', {
  handle: ({ context, caller, input: { ifUpdatedAt }, params: { className, objectId } }) =>
    whileUnchanged(context, caller, { className, objectId, operation: 'delete', ifUpdatedAt }, () =>
      deleteObject(context, caller, className, objectId),
    ),
})
