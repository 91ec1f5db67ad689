import { refuse, type WireFields } from '@countersign/protocol'
import { type ClassSchema, tableOf } from '../classes/ClassSchema.ts'
import { columnNames } from '../classes/decodeRow.ts'
import { fillFileUrls } from '../classes/fileUrls.ts'
import type { Context } from '../context/Context.ts'
import { type Fragment, sql } from '../db/sql.ts'
import type { Decision } from '../permissions/Decision.ts'
import { writeRowFilter } from '../permissions/writeRowFilter.ts'
import type { Access } from '../roles/accessOf.ts'
import { decodeObject, type JsonRow } from './decodeObject.ts'

/** An object that the caller may write, complete, and locked until the transaction ends. */
export async function lockObject(
  context: Context,
  access: Access,
  schema: ClassSchema,
  objectId: string,
  decisions: Decision[],
): Promise<WireFields> {
  const where = buildWriteFilter(schema, access, objectId, decisions)
  const names = columnNames(schema).map((name) => sql.column('o', name))
  const [found] = await context.db.query<{ row: JsonRow }>(sql`
    select row_to_json(_row) as row from (
      select ${sql.join(names)} from ${tableOf(schema)} as o where ${where} for update
    ) _row`)
  if (!found) throw refuse('objectNotFound')
  return fillFileUrls(context, schema, decodeObject(schema, found.row))
}

/** The condition for the one object, if the caller may write it. */
export function buildWriteFilter(
  schema: ClassSchema,
  access: Access,
  objectId: string,
  decisions: Decision[],
): Fragment {
  const conditions = [sql`o."objectId" = ${objectId}`]
  for (const decision of decisions) {
    const filter = writeRowFilter(schema, access, decision, 'write', sql`o`)
    if (filter !== undefined) conditions.push(sql`(${filter})`)
  }
  return sql.join(conditions, ' and ')
}
