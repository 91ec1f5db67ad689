import type { Database } from '../../db/Database.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { type ClassSchema, tableOf } from '../ClassSchema.ts'
import { copyOf } from './abandonMove.ts'

type Column = { name: string; type: string }

async function listColumns(db: Database, table: Fragment): Promise<Column[]> {
  return db.query<Column>(sql`
    select a.attname::text as name, format_type(a.atttypid, a.atttypmod)
      || case when a.attcollation <> 0 and a.attcollation <> t.typcollation
        then format(' collate %I', l.collname) else '' end as type
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    left join pg_collation l on l.oid = a.attcollation
    where a.attrelid = '${table}'::regclass and a.attnum > 0 and not a.attisdropped
    order by a.attnum`)
}

/**
 * Gives the copy the columns that the class got since, and drops those that it lost. Objects with a value in a new
 * column changed after it came, so they are copied again. Returns the columns.
 */
export async function matchColumns(db: Database, schema: ClassSchema): Promise<Fragment> {
  const { className } = schema
  const columns = await listColumns(db, tableOf(schema))
  const copied = await listColumns(db, copyOf(className))
  const key = ({ name, type }: Column) => `${name} ${type}`
  const [wanted, present] = [new Set(columns.map(key)), new Set(copied.map(key))]
  const changes = [
    ...copied.filter((column) => !wanted.has(key(column))).map(({ name }) => sql`drop column ${sql.id(name)}`),
    ...columns
      .filter((column) => !present.has(key(column)))
      .map(({ name, type }) => sql`add column ${sql.id(name)} ${sql.raw(type)}`),
  ]
  if (changes.length > 0) await db.query(sql`alter table ${copyOf(className)} ${sql.join(changes)}`)
  return sql.join(columns.map(({ name }) => sql.id(name)))
}

type Index = { name: string; definition: string; isKey: boolean }

/** Indexes of a table as the database wrote them down: some classes have others than their schema says. */
async function listIndexes(db: Database, table: Fragment): Promise<Index[]> {
  return db.query<Index>(sql`
    select x.relname::text as name, i.indisprimary as "isKey",
      regexp_replace(pg_get_indexdef(i.indexrelid), ' ON (ONLY )?\\S+ USING ', ' ON @ USING ') as definition
    from pg_index i join pg_class x on x.oid = i.indexrelid
    where i.indrelid = '${table}'::regclass
    order by i.indexrelid`)
}

/**
 * Gives the copy the indexes of the class, under the same names: the copy is in another schema. Again before it takes
 * the place of the class, since indexes may have come and gone.
 */
export async function matchIndexes(db: Database, schema: ClassSchema): Promise<void> {
  const { className } = schema
  const wanted = (await listIndexes(db, tableOf(schema))).filter(({ isKey }) => !isKey)
  const present = (await listIndexes(db, copyOf(className))).filter(({ isKey }) => !isKey)
  const key = ({ name, definition }: Index) => `${name} ${definition}`
  const [wantedKeys, presentKeys] = [new Set(wanted.map(key)), new Set(present.map(key))]
  for (const index of present.filter((one) => !wantedKeys.has(key(one)))) {
    await db.query(sql`drop index countersign_parts.${sql.id(index.name)}`)
  }
  for (const index of wanted.filter((one) => !presentKeys.has(key(one)))) {
    const [before = '', after = ''] = index.definition.split(' ON @ USING ')
    await db.query(sql`${sql.raw(before)} on ${copyOf(className)} using ${sql.raw(after)}`)
  }
}
