import type { Context } from '../context/Context.ts'
import type { Statement } from '../db/Database.ts'

/** What the log says of a slow query. Never its values: they may be anybody's secrets. */
export type ToldQuery = { className: string; operation: string; shape: () => string }

/** Runs a statement and tells the operator where it took longer than `slowQueryThreshold`. */
export async function timeQuery<Row>(
  { config, db, log }: Pick<Context, 'config' | 'db' | 'log'>,
  { className, operation, shape }: ToldQuery,
  statement: Statement,
): Promise<Row[]> {
  const begin = performance.now()
  try {
    return await db.query<Row>(statement)
  } finally {
    const ms = performance.now() - begin
    if (config.slowQueryThreshold > 0 && ms >= config.slowQueryThreshold) {
      log.warn({ className, operation, shape: shape(), ms: Math.round(ms) }, 'slow query')
    }
  }
}
