import { type Bindings, tableOf } from '../db/createBindings.ts'
import type { Change } from './Change.ts'
import type { ClassSchema } from './ClassSchema.ts'
import { joinTableName } from './joinTableName.ts'
import { readRelated } from './readRelated.ts'

/** The update of an object together with what comes into its relations and what leaves them, as one statement. */
export function writeRelated(bindings: Bindings, schema: ClassSchema, changes: Change[], update: string): string {
  const parts: string[] = []
  for (const [field, { added, removed }] of readRelated(changes)) {
    const table = tableOf(joinTableName(schema.className, field))
    if (added.length > 0) {
      parts.push(`insert into ${table} ("owningId", "relatedId")
        select "objectId", unnest(${bindings.bind(added)}::text[]) from changed on conflict do nothing`)
    }
    if (removed.length > 0) {
      parts.push(`delete from ${table}
        where "owningId" in (select "objectId" from changed) and "relatedId" = any(${bindings.bind(removed)}::text[])`)
    }
  }
  if (parts.length === 0) return update
  return `with changed as (${update}), ${parts.map((part, index) => `part${index} as (${part})`).join(', ')} select * from changed`
}
