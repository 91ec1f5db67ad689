import { type ClassRow, classColumns, decodeClass } from '../classes/ClassSchema.ts'
import { joinTableName } from '../classes/names.ts'
import type { Database } from '../db/Database.ts'
import { passingTables } from '../db/passingTables.ts'
import { sql } from '../db/sql.ts'

/** A table as it is written and read: by its columns, in an order in which every row finds those that it refers to. */
export type Table = {
  schema: string
  name: string
  /** Schema in which the database has it: that of distributed classes is another. */
  place: string
  columns: string[]
  orderBy: string[]
}

type Reader = Pick<Database, 'query'>

/** Tables that are not copied: a start creates the list of migrations again, keys and classes have entries of their own. */
const leftOut = new Set([...passingTables, 'migrations', 'keys', 'classes'])

export function listClassRows(db: Reader): Promise<ClassRow[]> {
  return db.query<ClassRow>(sql`select ${classColumns} from countersign.classes order by "className"`)
}

/** The tables of the server and of every class, those first that others refer to. */
export async function listTables(db: Reader, classes: ClassRow[]): Promise<Table[]> {
  const own = new Set(
    classes
      .map(decodeClass)
      .flatMap(({ className, relations }) => [
        className,
        ...[...relations.keys()].map((field) => joinTableName(className, field)),
      ]),
  )
  const columns = await db.query<{ schema: string; name: string; place: string; columns: string[] }>(sql`
    select case n.nspname when 'countersign_shards' then 'public' else n.nspname end as schema, c.relname as name,
      n.nspname as place, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid
    where n.nspname in ('public', 'countersign', 'countersign_shards') and c.relkind in ('r', 'p')
      and not c.relispartition and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by 1, 2, 3
    order by 1, 2`)
  const references = await db.query<{ table: string; target: string; column: string }>(sql`
    select f.conrelid::regclass::oid::text as table, f.confrelid::regclass::oid::text as target,
      a.attname::text as column
    from pg_constraint f
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
    where f.contype = 'f'`)
  const oids = await db.query<{ oid: string; schema: string; name: string }>(sql`
    select c.oid::text as oid, n.nspname as schema, c.relname as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'countersign') and c.relkind in ('r', 'p') and not c.relispartition`)
  const nameOf = new Map(oids.map(({ oid, schema, name }) => [oid, `${schema}.${name}`]))
  const tables = columns
    .filter(({ schema, name }) => (schema === 'public' ? own.has(name) : !leftOut.has(name)))
    .map((table): Table => ({ ...table, orderBy: [] }))
  const byName = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]))
  const needs = new Map<string, Set<string>>()
  for (const { table, target, column } of references) {
    const [from = '', to = ''] = [nameOf.get(table), nameOf.get(target)]
    // A row may refer to another of its own table: rows without a reference come first.
    if (from === to) byName.get(from)?.orderBy.push(column)
    else needs.set(from, (needs.get(from) ?? new Set()).add(to))
  }
  const sorted: Table[] = []
  const done = new Set<string>()
  const visit = (name: string) => {
    if (done.has(name)) return
    done.add(name)
    for (const target of needs.get(name) ?? []) visit(target)
    const table = byName.get(name)
    if (table) sorted.push(table)
  }
  for (const name of byName.keys()) visit(name)
  return sorted
}
