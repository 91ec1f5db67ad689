import { CountersignError, refuse } from '@countersign/protocol'
import { tableOf } from '../classes/ClassSchema.ts'
import { withFreshClasses } from '../classes/createClasses.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { decide, refuseInternal } from '../permissions/decide.ts'
import { accessOf } from '../roles/accessOf.ts'
import { findClass } from './findClass.ts'
import { getObject } from './getObject.ts'
import { buildWriteFilter } from './lockObject.ts'
import { rejectManagedClass } from './rejectManagedClass.ts'

type Target = {
  className: string
  objectId: string
  operation: 'update' | 'delete'
  /** The object has to have this `updatedAt`. */
  ifUpdatedAt: string | undefined
}

/**
 * Runs a write only if nobody changed the object since the caller read it. The row is locked in between. A caller who
 * may not write it finds none; one who may not read it does not learn its values.
 */
export async function whileUnchanged<Result>(
  context: Context,
  caller: Caller,
  { className, objectId, operation, ifUpdatedAt }: Target,
  write: () => Promise<Result>,
): Promise<Result> {
  if (ifUpdatedAt === undefined) return write()
  const { db } = context
  const access = await accessOf(context, caller)
  rejectManagedClass(context, className, 'write')
  refuseInternal(access, className, operation)
  const outcome = await withFreshClasses(context.classes, async () => {
    const schema = await findClass(context, className)
    if (!schema) throw refuse('objectNotFound')
    const where = buildWriteFilter(schema, access, objectId, [decide(schema, access, operation)])
    return db.transaction(async () => {
      const [row] = await db.query<{ same: boolean }>(sql`
        select o."updatedAt" = ${ifUpdatedAt}::timestamptz as same
        from ${tableOf(schema)} as o where ${where} for update`)
      if (!row) throw refuse('objectNotFound')
      return row.same ? { result: await write() } : undefined
    })
  })
  if (outcome) return outcome.result
  const object = await getObject(context, caller, className, objectId, {}).catch((error: unknown) => {
    if (error instanceof CountersignError) return undefined
    throw error
  })
  throw refuse('objectChanged', undefined, object && { object })
}
