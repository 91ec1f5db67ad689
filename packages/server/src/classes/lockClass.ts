import type { Database } from '../db/Database.ts'
import { type ClassRow, classColumns, decodeClass } from './ClassRow.ts'
import type { ClassSchema } from './ClassSchema.ts'

/** Locks the class until the open transaction ends, whether it exists or not, and reads what it is now. */
export async function lockClass(db: Database, className: string): Promise<ClassSchema | undefined> {
  // One server at a time: two that add the same column at once would both fail.
  await db.query({
    text: `select pg_advisory_xact_lock(hashtext('countersign:class'), hashtext($1))`,
    values: [className],
  })
  const [row] = await db.query<ClassRow>({
    text: `select ${classColumns} from countersign.classes where "className" = $1`,
    values: [className],
  })
  return row && decodeClass(row)
}
