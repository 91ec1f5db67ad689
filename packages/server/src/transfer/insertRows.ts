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
  /** What must hold of a row `r`. */
  where?: Fragment
}

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
  try {
    return { written: await db.nest(() => insert(db, rows, options)), refused: [], cleaned: 0 }
  } catch (error) {
    // Of class 22 and 23, and 54: the data is what is wrong.
    if (!/^(22|23|54)/.test(String((error as { code?: unknown }).code))) throw error
    const [row] = rows
    if (rows.length === 1 && row) return insertCleaned(db, row, error as Error, options)
    const middle = Math.ceil(rows.length / 2)
    const first = await insertRows(db, rows.slice(0, middle), options)
    const second = await insertRows(db, rows.slice(middle), options)
    return {
      written: first.written + second.written,
      refused: [...first.refused, ...second.refused],
      cleaned: first.cleaned + second.cleaned,
    }
  }
}

async function insert(
  db: Database,
  rows: Record<string, unknown>[],
  { table, columns, key, where }: InsertOptions,
): Promise<number> {
  const names = sql.join(columns.map(([name]) => sql.id(name)))
  const typed = sql.join(
    columns.map(([name, type]) => sql`${sql.id(name)} ${typeof type === 'string' ? sql.raw(type) : type}`),
  )
  const [answer] = await db.query<{ count: number }>(sql`
    with put as (
      insert into ${table} (${names})
      select ${names} from json_to_recordset(${JSON.stringify(rows)}::json) as r (${typed})
      where ${where ?? sql`true`}
      on conflict (${sql.join(key.map((name) => sql.id(name)))}) do nothing
      returning 1
    )
    select count(*)::integer as count from put`)
  return answer?.count ?? 0
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
    const written = await db.nest(() => insert(db, [JSON.parse(text) as Record<string, unknown>], options))
    return { written, refused: [], cleaned: written }
  } catch {
    return { written: 0, refused: [{ row, error }], cleaned: 0 }
  }
}
