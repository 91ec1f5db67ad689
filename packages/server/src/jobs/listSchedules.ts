import type { WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { tableOf } from '../db/createBindings.ts'
import { decodeObject, type JsonRow } from '../objects/decodeObject.ts'
import { findClass } from '../objects/findClass.ts'

/** The schedules that were made through the API. */
export async function listSchedules(context: Context): Promise<WireFields[]> {
  const schema = await findClass(context, '_JobSchedule')
  if (!schema) return []
  const rows = await context.db.query<{ row: JsonRow }>({
    text: `select row_to_json(o) as row from ${tableOf('_JobSchedule')} o order by "createdAt", "objectId" limit 1000`,
  })
  return rows.map(({ row }) => decodeObject(schema, row))
}
