import type { Database } from '../db/Database.ts'
import { json } from '../db/sql.ts'
import { encodeClass } from './ClassRow.ts'
import type { ClassSchema } from './ClassSchema.ts'

/** Every server listens here for classes that changed. */
export const classesChannel = 'countersign_classes'

/** Writes down what the class is now, under a version that no class ever had, and tells every server. */
export async function saveClass(
  db: Database,
  className: string,
  schema: ClassSchema | undefined,
): Promise<ClassSchema | undefined> {
  const tell = `select pg_notify('${classesChannel}', $1)`
  if (!schema) {
    await db.query({
      text: `with gone as (delete from countersign.classes where "className" = $1) ${tell}`,
      values: [className],
    })
    return undefined
  }
  const { fields, indexes } = encodeClass(schema)
  const [saved] = await db.query<{ version: number }>({
    text: `with saved as (
             insert into countersign.classes ("className", fields, permissions, indexes, dropped, version)
             values ($1, $2, $3, $4, $5, nextval('countersign.class_versions'))
             on conflict ("className") do update set fields = excluded.fields, permissions = excluded.permissions,
               indexes = excluded.indexes, dropped = excluded.dropped, version = excluded.version
             returning version
           ) select version, pg_notify('${classesChannel}', $1) from saved`,
    values: [
      className,
      json(fields),
      schema.permissions ? json(schema.permissions) : null,
      json(indexes),
      schema.dropped ?? false,
    ],
  })
  return { ...schema, version: saved?.version ?? 0 }
}
