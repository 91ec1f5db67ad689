import { CountersignError, refuse, type SchemaRecord, sameValue, type WireValue } from '@countersign/protocol'
import type { Database } from '../../db/Database.ts'
import { sql } from '../../db/sql.ts'
import type { ClassStep } from '../applySteps.ts'
import { type ClassSchema, tableOf } from '../ClassSchema.ts'
import { readOnlyClass, withFreshClasses } from '../createClasses.ts'
import { isKeptClass, joinTableName } from '../names.ts'
import { changeAll, dropRelated } from '../partitions/logWrites.ts'
import { encodeSchema } from './encodeSchema.ts'
import { checkSchemaName, type Parts, userIdPattern } from './planFields.ts'
import { planReset, planSchema, type SchemaBasis, type SchemaInput } from './planSchema.ts'

/** Makes a class. */
export async function createSchema(
  { classes, config }: Parts,
  className: string,
  input: SchemaInput,
): Promise<SchemaRecord> {
  checkSchemaName(className)
  const made = await classes.change(className, (current) => {
    if (current && !current.dropped) {
      throw new CountersignError('InvalidClassName', `Class ${className} already exists.`)
    }
    return planSchema(className, current, input, { userId: userIdPattern(config) })
  })
  return encodeSchema(made ?? classes.get(className))
}

/** Adds and deletes fields and indexes of a class, and sets its permissions. All of it or nothing. */
export async function updateSchema(
  { classes, config }: Parts,
  className: string,
  input: SchemaInput & { basedOn?: SchemaBasis | undefined },
): Promise<SchemaRecord> {
  const basis = input.basedOn?.classLevelPermissions
  const changed = await classes.change(className, (current) => {
    if (!current) {
      throw new CountersignError('InvalidClassName', `Class ${className.slice(0, 100)} does not exist.`)
    }
    // Compared while the class is locked: of two concurrent changes the second is refused.
    if (basis !== undefined && !sameValue(basis, encodeSchema(current).classLevelPermissions as WireValue)) {
      throw refuse('permissionsChanged')
    }
    return planSchema(className, current, input, { userId: userIdPattern(config) })
  })
  return encodeSchema(changed ?? classes.get(className))
}

/** Drops an empty class with all that it has. What the server cannot do without only goes back to its beginnings. */
export async function deleteSchema({ db, classes }: Parts, className: string): Promise<Record<never, never>> {
  checkSchemaName(className)
  await classes.change(className, async (current): Promise<ClassStep[]> => {
    if (!current) return []
    // An object that is made between the count and the drop would be lost.
    await db.query(sql`lock table ${tableOf(current)} in access exclusive mode`)
    const [row] = await db.query<{ count: number }>(sql`select count(*)::integer as count from ${tableOf(current)}`)
    if (row && row.count > 0) {
      throw new CountersignError(
        'InvalidSchemaOperation',
        `Class ${className} is not empty, contains ${row.count} objects, cannot drop schema.`,
      )
    }
    return isKeptClass(className) ? planReset(current) : [{ kind: 'dropClass' }]
  })
  return {}
}

/** Every class. Of those that were dropped and that the server keeps nevertheless, only the ones in use again. */
export async function listSchemas({ db, classes }: Parts): Promise<SchemaRecord[]> {
  await classes.refresh()
  const records: SchemaRecord[] = []
  for (const schema of classes.list()) {
    if (schema.dropped) {
      const rows = await db.query(sql`select 1 from ${tableOf(schema)} limit 1`)
      if (rows.length === 0) continue
    }
    records.push(encodeSchema(schema))
  }
  for (const schema of classes.listReadOnly()) records.push(encodeSchema(schema))
  return records
}

async function deleteAll(db: Database, schema: ClassSchema): Promise<void> {
  if (!schema.distributed) {
    await db.query(sql`delete from ${tableOf(schema)}`)
    return
  }
  await changeAll(db, schema, sql`true`, async (ids) => {
    await db.query(sql`delete from ${tableOf(schema)} where "objectId" = any(${ids}::text[])`)
    await dropRelated(db, schema, ids)
  })
}

/** Deletes every object of a class. The class itself stays. */
export async function purgeClass({ db, classes }: Parts, className: string): Promise<Record<never, never>> {
  if (classes.find(className)?.source) throw readOnlyClass(className)
  await withFreshClasses(classes, () =>
    db.transaction(async () => {
      const purged = classes.find(className)
      if (!purged) return
      await deleteAll(db, purged)
      db.reportChange(className)
      // If clients choose ids, a reused id must not inherit the relations of its predecessor, such as a role.
      for (const schema of classes.list()) {
        for (const [field, targetClass] of schema.relations) {
          if (targetClass !== className) continue
          await db.query(sql`delete from ${sql.table(joinTableName(schema.className, field))}`)
        }
      }
    }),
  )
  return {}
}
