import { refuse } from '@countersign/protocol'
import { joinTableName } from '../classes/joinTableName.ts'
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
    const text = `delete from ${tableOf(className)} as o where ${where} returning "objectId"`
    const whole = className === '_Role' ? withoutHolders(text) : text
    const remove = () => context.db.query(nameStatement(whole, bindings.values))
    if (!hasDeleteHooks(context, className)) return remove()
    return deleteWithHooks(context, caller, className, {
      getObject: () => lockObject(context, access, schema, objectId, decisions),
      remove,
    })
  })
  if (gone.length === 0) throw refuse('objectNotFound')
  if (className === '_Role') context.db.afterCommit(() => context.roleCache.forgetAll())
  return {}
}

/**
 * P11: roles that held the role hold it no more. Where clients choose ids, one who makes a role under the id of this one
 * would have their rights.
 */
function withoutHolders(text: string): string {
  const holders = tableOf(joinTableName('_Role', 'roles'))
  return `with gone as (${text}), left_alone as (
    delete from ${holders} where "relatedId" in (select "objectId" from gone)
  ) select 1 from gone`
}
