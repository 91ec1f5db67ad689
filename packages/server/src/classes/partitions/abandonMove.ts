import type { Database } from '../../db/Database.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { shortenName } from '../names.ts'

/** The copy of a class in its new layout, until it takes the place of the class. */
export const copyOf = (className: string): Fragment => sql`countersign_parts.${sql.id(className)}`

/** Name of the table that lists the objects which changed since they were copied. */
export const notesOf = (className: string): string => shortenName(`${className}~notes`)

/** Drops an unfinished copy of the class. The class itself stays as it is. */
export async function abandonMove(db: Database, className: string): Promise<void> {
  const gone = await db.query(
    sql`delete from countersign.class_moves where class_name = ${className} returning class_name`,
  )
  if (gone.length === 0) return
  const [local] = await db.query<{ there: boolean }>(
    sql`select to_regclass(format('public.%I', ${className}::text)) is not null as there`,
  )
  if (local?.there) await db.query(sql`drop trigger if exists countersign_move on ${sql.table(className)}`)
  await db.query(sql`
    drop table if exists ${copyOf(className)};
    drop table if exists countersign_parts.${sql.id(notesOf(className))}`)
}
