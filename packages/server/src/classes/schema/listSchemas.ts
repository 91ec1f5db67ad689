import type { SchemaRecord } from '@countersign/protocol'
import { tableOf } from '../../db/createBindings.ts'
import { encodeSchema } from './encodeSchema.ts'
import type { Parts } from './Parts.ts'

/** Every class. Of those that were dropped and that the server keeps nevertheless, only the ones in use again. */
export async function listSchemas({ db, classes }: Parts): Promise<SchemaRecord[]> {
  await classes.refresh()
  const records: SchemaRecord[] = []
  for (const schema of classes.list()) {
    if (schema.dropped) {
      const rows = await db.query({ text: `select 1 from ${tableOf(schema.className)} limit 1` })
      if (rows.length === 0) continue
    }
    records.push(encodeSchema(schema))
  }
  return records
}
