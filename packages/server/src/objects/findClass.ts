import { type ClassSchema, emptySchema } from '../classes/ClassSchema.ts'
import { refuseOlderName } from '../classes/olderClasses.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'

/**
 * The ids of completed requests, as parse-server shows them to the master key: a view of what the server keeps for
 * itself, and so read-only and not among the classes of the application.
 */
export const idempotencyClass: ClassSchema = {
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
  if (className === idempotencyClass.className) return idempotencyClass
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
