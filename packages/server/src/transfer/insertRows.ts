import type { Database } from '../db/Database.ts'
import { type Fragment, sql } from '../db/sql.ts'

/** A column with its type in SQL. */
export type RowColumn = [name: string, type: string | Fragment]

export type Inserted = { written: number; refused: { row: Record<string, unknown>; error: Error }[]; cleaned: number }

export type InsertOptions = {
  table: Fragment
  columns: RowColumn[]
  /** The columns that make two rows the same. */
  key: string[]
  /** No index covers the key: rows that are there already are looked up. */
  withoutIndex?: boolean
  /** Notes the rows that were inserted as those of this import, by their `objectId`. */
  mark?: { source: string; className: string } | undefined
}

/** As large as a client's object may be, in letters of JSON: the limit of a response. */
const largestRow = 20 * 1024 * 1024

/**
 * Many rows in one statement, as one JSON value: both databases take that, and it is as quick as COPY from here. Rows
 * that are there already stay. Where the database refuses some, they are found by halving and left out.
 */
export async function insertRows(
  db: Database,
  rows: Record<string, unknown>[],
  options: InsertOptions,
): Promise<Inserted> {
  if (rows.length === 0) return { written: 0, refused: [], cleaned: 0 }
  const texts = rows.map((row) => JSON.stringify(row))
  const [fitting, large] = [rows.filter((_, at) => isSmall(texts[at])), rows.filter((_, at) => !isSmall(texts[at]))]
  const refused = large.map((row) => ({ row, error: new Error('an object can have at most 20 MB.') }))
  const inserted = await insertFitting(db, fitting, texts.filter(isSmall), options)
  return { ...inserted, refused: [...refused, ...inserted.refused] }
}

const isSmall = (text: string | undefined) => text !== undefined && text.length <= largestRow

async function insertFitting(
  db: Database,
  rows: Record<string, unknown>[],
  texts: string[],
  options: InsertOptions,
): Promise<Inserted> {
  if (rows.length === 0) return { written: 0, refused: [], cleaned: 0 }
  try {
    return { written: await db.nest(() => insert(db, texts, options)), refused: [], cleaned: 0 }
  } catch (error) {
    // Of class 22 and 23, and 54: the data is what is wrong.
    if (!/^(22|23|54)/.test(String((error as { code?: unknown }).code))) throw error
    const [row] = rows
    if (rows.length === 1 && row) return insertCleaned(db, row, error as Error, options)
    const middle = Math.ceil(rows.length / 2)
    const first = await insertFitting(db, rows.slice(0, middle), texts.slice(0, middle), options)
    const second = await insertFitting(db, rows.slice(middle), texts.slice(middle), options)
    return {
      written: first.written + second.written,
      refused: [...first.refused, ...second.refused],
      cleaned: first.cleaned + second.cleaned,
    }
  }
}

async function insert(db: Database, texts: string[], options: InsertOptions): Promise<number> {
  const { table, columns, key, withoutIndex, mark } = options
  const keys = key.map((name) => sql.id(name))
  const isThere = sql.join(
    keys.map((name) => sql`t.${name} = r.${name}`),
    ' and ',
  )
  const names = sql.join(columns.map(([name]) => sql.id(name)))
  const typed = sql.join(
    columns.map(([name, type]) => sql`${sql.id(name)} ${typeof type === 'string' ? sql.raw(type) : type}`),
  )
  const [answer] = await db.query<{ count: number }>(sql`
    with put as (
      insert into ${table} (${names})
      select ${names} from json_to_recordset(${`[${texts.join(',')}]`}::json) as r (${typed})
      ${withoutIndex ? sql`where not exists (select from ${table} t where ${isThere})` : sql``}
      on conflict ${withoutIndex ? sql`` : sql`(${sql.join(keys)})`} do nothing
      returning ${mark ? sql`"objectId"` : sql`1`}
    )${mark ? sql`, marked as (${writeMarks(mark)})` : sql``}
    select count(*)::integer as count from put`)
  return answer?.count ?? 0
}

function writeMarks({ source, className }: NonNullable<InsertOptions['mark']>): Fragment {
  return sql`
    insert into countersign.import_rows (source, class, id) select ${source}, ${className}, "objectId" from put
    on conflict (source, class, id) do update set at = now()`
}

/** PostgreSQL keeps no NUL and no half of a surrogate pair in a text. */
async function insertCleaned(
  db: Database,
  row: Record<string, unknown>,
  error: Error,
  options: InsertOptions,
): Promise<Inserted> {
  const text = JSON.stringify(row, (_, value: unknown) =>
    typeof value === 'string' ? Buffer.from(value).toString().replaceAll('\0', '\uFFFD') : value,
  )
  try {
    if (text === JSON.stringify(row)) throw error
    const written = await db.nest(() => insert(db, [text], options))
    return { written, refused: [], cleaned: written }
  } catch {
    return { written: 0, refused: [{ row, error }], cleaned: 0 }
  }
}
