import { CountersignError } from '@countersign/protocol'
import { tableOf } from '../classes/ClassSchema.ts'
import { withFreshClasses } from '../classes/createClasses.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'

/** Classes that one statement looks through. */
const classesAtOnce = 100

/**
 * Rejects a chosen id that access lists, roles or permissions already name: a stranger would get its rights. The
 * database rejects ids of deleted accounts for every caller. Entries that may write and not read have no index and are
 * not checked.
 */
export async function refuseNamedId(context: Context, caller: Caller, objectId: string): Promise<void> {
  if (!caller.isMaster) await withFreshClasses(context.classes, () => refuseNamed(context, objectId))
}

async function refuseNamed({ db, classes }: Context, objectId: string): Promise<void> {
  const listed = classes.list().filter(({ source }) => !source)
  const isPermitted = listed.some(({ permissions }) =>
    Object.values(permissions ?? {}).some((rights) => Object.hasOwn(Object(rights), objectId)),
  )
  if (isPermitted) throw taken()
  const role = await db.query(sql`select 1 from "_Join:users:_Role" where "relatedId" = ${objectId} limit 1`)
  if (role.length > 0) throw taken()
  const guarded = listed.filter(({ className }) => className !== '_Session')
  for (let at = 0; at < guarded.length; at += classesAtOnce) {
    const parts = guarded
      .slice(at, at + classesAtOnce)
      .map((schema) => sql`(select 1 from ${tableOf(schema)} where "_rperm" @> ${[objectId]}::text[] limit 1)`)
    if ((await db.query(sql`${sql.join(parts, ' union all ')} limit 1`)).length > 0) throw taken()
  }
}

/** Error for an id that is taken, without revealing what names it. */
function taken(): CountersignError {
  return new CountersignError('DuplicateValue', 'A duplicate value for a field with unique values was provided')
}
