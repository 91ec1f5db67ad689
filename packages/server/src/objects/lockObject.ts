import { refuse, type WireFields } from '@countersign/protocol'
import type { ClassSchema } from '../classes/ClassSchema.ts'
import { columnNames } from '../classes/decodeRow.ts'
import type { Context } from '../context/Context.ts'
import { fillFileUrls } from '../context/fillFileUrls.ts'
import { createBindings, quote, tableOf } from '../db/createBindings.ts'
import type { Decision } from '../permissions/Decision.ts'
import type { Access } from '../roles/Access.ts'
import { decodeObject, type JsonRow } from './decodeObject.ts'
import { writeReach } from './writeReach.ts'

/** An object that the caller may write, whole, held until the transaction ends: nobody changes it meanwhile. */
export async function lockObject(
  context: Context,
  access: Access,
  schema: ClassSchema,
  objectId: string,
  decisions: Decision[],
): Promise<WireFields> {
  const bindings = createBindings()
  const where = writeReach(bindings, schema, access, objectId, decisions)
  const names = columnNames(schema).map((name) => `o.${quote(name)}`)
  const [found] = await context.db.query<{ row: JsonRow }>({
    text: `select row_to_json(_row) as row from (
             select ${names.join(', ')} from ${tableOf(schema.className)} as o where ${where} for update
           ) _row`,
    values: bindings.values,
  })
  if (!found) throw refuse('objectNotFound')
  return fillFileUrls(context, schema, decodeObject(schema, found.row))
}
