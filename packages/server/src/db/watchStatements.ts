import type { Database } from './Database.ts'
import type { Statement } from './Statement.ts'
import type { Fragment } from './sql.ts'

/** Called at the start of a statement; the returned function is called at its end. */
export type WatchStatement = (statement: Fragment | Statement) => (failed: boolean) => void

/** The same database, whose statements are watched. Only where somebody watches: it costs a promise for each. */
export const watchStatements = (db: Database, watch: WatchStatement): Database => ({
  ...db,
  query: <Row>(statement: Fragment | Statement): Promise<Row[]> => {
    const end = watch(statement)
    return db.query<Row>(statement).then(
      (rows) => {
        end(false)
        return rows
      },
      (error) => {
        end(true)
        throw error
      },
    )
  },
})
