import type { Database } from './Database.ts'
import { isUnavailable } from './databaseErrors.ts'
import { type Fragment, sql } from './sql.ts'

/** An insert of one row: the statement up to `values`, and the row in parentheses. */
export type Insert = {
  /** Equal for inserts into the same columns of the same table. */
  key: string
  into: Fragment
  row: Fragment
}

export type InsertGroup = {
  /** Resolves once the row is stored, and rejects where it cannot be. */
  add(insert: Insert): Promise<void>
}

type Waiting = Insert & { resolve(): void; reject(error: unknown): void }

/** A statement with more would bind too many values. */
const mostRows = 100

export const writeInsert = ({ into, row }: Insert): Fragment => sql.prepared`${into} values ${row}`

/**
 * Joins inserts that come within one turn of the event loop into one statement with one commit: of twenty, the commits
 * and messages take most of the time. If it fails, each row gets its own statement, so that it fails only for its own
 * reason. `onWait` is called for each insert that begins to wait for others.
 */
export function createInsertGroup(db: Pick<Database, 'query'>, onWait: () => void): InsertGroup {
  const waiting = new Map<string, Waiting[]>()

  const flush = () => {
    const groups = [...waiting.values()]
    waiting.clear()
    for (const inserts of groups) {
      for (let from = 0; from < inserts.length; from += mostRows)
        void insertAll(db, inserts.slice(from, from + mostRows))
    }
  }

  return {
    add: ({ key, into, row }) =>
      new Promise((resolve, reject) => {
        if (waiting.size === 0) setImmediate(flush)
        const inserts = waiting.get(key) ?? []
        waiting.set(key, inserts)
        inserts.push({ key, into, row, resolve, reject })
        onWait()
      }),
  }
}

async function insertAll(db: Pick<Database, 'query'>, inserts: Waiting[]): Promise<void> {
  const [first] = inserts
  if (!first) return
  if (inserts.length === 1) return insertOne(db, first)
  try {
    await db.query(sql.prepared`${first.into} values ${sql.join(inserts.map(({ row }) => row))}`)
    for (const { resolve } of inserts) resolve()
  } catch (error) {
    // After a lost connection the rows may be stored: a second attempt would find its own row and fail.
    if (isUnavailable(error) || !isRefused(error)) for (const { reject } of inserts) reject(error)
    else for (const insert of inserts) await insertOne(db, insert)
  }
}

const insertOne = (db: Pick<Database, 'query'>, insert: Waiting): Promise<void> =>
  db.query(writeInsert(insert)).then(() => insert.resolve(), insert.reject)

/** The database itself refused the statement, which has then stored nothing. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
