import { CountersignError } from '@countersign/protocol'
import { withFreshClasses } from '../classes/withFreshClasses.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { createBindings, tableOf } from '../db/createBindings.ts'
import { nameStatement } from '../db/nameStatement.ts'
import { deleteWithHooks, hasDeleteHooks } from '../hooks/deleteWithHooks.ts'
import { decide } from '../permissions/decide.ts'
import { refuseInternal } from '../permissions/refuseInternal.ts'
import { accessOf } from '../roles/accessOf.ts'
import { findClass } from './findClass.ts'
import { lockObject } from './lockObject.ts'
import { refuseOwnWays } from './refuseOwnWays.ts'
import { writeReach } from './writeReach.ts'

/** Deletes an object that the caller may write, with its relations. */
export async function deleteObject(
  context: Context,
  caller: Caller,
  className: string,
  objectId: string,
): Promise<Record<never, never>> {
  const access = await accessOf(context, caller)
  // With the master key alone; its rules are those of every class.
  if (className !== '_Installation') refuseOwnWays(className)
  refuseInternal(access, className, 'delete')
  const gone = await withFreshClasses(context.classes, async () => {
    const schema = await findClass(context, className)
    if (!schema) return []
    const decisions = [decide(schema, access, 'delete')]
    const bindings = createBindings()
    const where = writeReach(bindings, schema, access, objectId, decisions)
    const text = `delete from ${tableOf(className)} as o where ${where} returning 1`
    const remove = () => context.db.query(nameStatement(text, bindings.values))
    if (!hasDeleteHooks(context, className)) return remove()
    return deleteWithHooks(context, caller, className, {
      getObject: () => lockObject(context, access, schema, objectId, decisions),
      remove,
    })
  })
  if (gone.length === 0) throw new CountersignError('ObjectNotFound', 'Object not found.')
  if (className === '_Role') context.db.afterCommit(() => context.roleCache.forgetAll())
  return {}
}
