import type { WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findHooks, runAfter, runBefore } from './runHooks.ts'

export function hasDeleteHooks(context: Context, className: string): boolean {
  return (
    findHooks(context, 'beforeDelete', className) !== undefined ||
    findHooks(context, 'afterDelete', className) !== undefined
  )
}

/** A delete with the application's hooks around it: what they write before it is kept or undone with it. */
export function deleteWithHooks<Result>(
  context: Context,
  caller: Caller,
  className: string,
  {
    getObject,
    remove,
  }: {
    /** Checks that the caller may delete it: hooks run for nobody else. */
    getObject: () => Promise<WireFields>
    remove: () => Promise<Result>
  },
): Promise<Result> {
  return context.db.transaction(async () => {
    const object = await getObject()
    const handlers = findHooks(context, 'beforeDelete', className) ?? []
    await runBefore(handlers, caller, { hook: 'beforeDelete', className, object })
    const result = await remove()
    await runAfter(context, caller, { hook: 'afterDelete', className, object })
    return result
  })
}
