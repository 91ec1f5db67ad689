import { CountersignError } from '@countersign/protocol'
import type { Database } from '../db/Database.ts'
import { compile, sql } from '../db/sql.ts'
import { type ClassSchema, describeType, type FieldType } from './ClassSchema.ts'
import { columns } from './columns.ts'

/** The classes of the application as this server knows them. */
export type Classes = {
  get(className: string): ClassSchema
  /** Makes columns for fields that the class lacks; refuses a type that differs from the field's own. */
  widen(className: string, wanted: ReadonlyMap<string, FieldType>): Promise<ClassSchema>
  refresh(): Promise<void>
  close(): Promise<void>
}

type ClassRow = { className: string; fields: [string, FieldType][]; version: number }

const channel = 'countersign_classes'
/** PostgreSQL ends at 1,600 columns; a caller who invents field names must meet our limit before that one. */
const mostFields = 500

/** Loads the classes and follows the changes that other servers make. */
export async function createClasses(db: Database): Promise<Classes> {
  let known = new Map<string, ClassSchema>()

  const refresh = async () => {
    const rows = await db.query<ClassRow>({ text: 'select "className", fields, version from countersign.classes' })
    known = new Map(rows.map((row) => [row.className, toSchema(row)]))
  }
  await refresh()
  // A refresh that fails is made up for by the next one, and by the statement that meets an unknown column.
  const follow = () => void refresh().catch(() => {})
  const unlisten = await db.listen(channel, follow, follow)

  const get = (className: string) => {
    const schema = known.get(className)
    if (!schema) throw new CountersignError('InvalidClassName', `Class ${className} does not exist.`)
    return schema
  }

  const widen = async (className: string, wanted: ReadonlyMap<string, FieldType>) => {
    if (missingFields(get(className), wanted).length === 0) return get(className)
    await db.transaction(async () => {
      // One server at a time: two that add the same column at once would both fail.
      await db.query({
        text: `select pg_advisory_xact_lock(hashtext('countersign:class'), hashtext($1))`,
        values: [className],
      })
      const [row] = await db.query<ClassRow>({
        text: 'select "className", fields, version from countersign.classes where "className" = $1',
        values: [className],
      })
      if (!row) throw new CountersignError('InvalidClassName', `Class ${className} does not exist.`)
      const current = toSchema(row)
      const missing = missingFields(current, wanted)
      if (missing.length === 0) return
      if (current.fields.size + missing.length > mostFields) {
        throw new CountersignError('ExceededQuota', `Class ${className} may have ${mostFields} fields at most.`)
      }
      const additions = missing.map(
        ([name, field]) => sql`add column ${sql.id(name)} ${sql.raw(columns[field.type].sql)}`,
      )
      await db.query(compile(sql`alter table ${sql.id(className)} ${sql.join(additions)}`))
      await db.query({
        text: `with changed as (
                 update countersign.classes set fields = $2, version = version + 1 where "className" = $1
               ) select pg_notify('${channel}', $1)`,
        values: [className, JSON.stringify([...current.fields, ...missing])],
      })
    })
    await refresh()
    return get(className)
  }

  return { get, widen, refresh, close: unlisten }
}

/** A list of pairs, not an object: a field may be called anything an object has by birth. */
function toSchema(row: ClassRow): ClassSchema {
  const isRelation = ([, field]: [string, FieldType]) => (field.type as string) === 'Relation'
  return {
    className: row.className,
    fields: new Map(row.fields.filter((field) => !isRelation(field))),
    relations: new Map(row.fields.filter(isRelation).map(([name, field]) => [name, field.targetClass ?? ''])),
    indexes: new Map(),
    version: row.version,
  }
}

function missingFields(schema: ClassSchema, wanted: ReadonlyMap<string, FieldType>): [string, FieldType][] {
  return [...wanted].filter(([name, field]) => {
    const present = schema.fields.get(name)
    if (!present) return true
    if (describeType(present) !== describeType(field)) {
      throw new CountersignError(
        'IncorrectType',
        `schema mismatch for ${schema.className}.${name}; expected ${describeType(present)} but got ${describeType(field)}`,
      )
    }
    return false
  })
}
