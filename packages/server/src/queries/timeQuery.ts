import type { Context } from '../context/Context.ts'
import type { Fragment } from '../db/sql.ts'

/** Description of a slow query for the log. Never its values: they may be secrets. */
export type QueryDescription = {
  className: string
  operation: string
  shape: () => string
  /** Called where it took at least `slowQueries.threshold`. */
  record?: ((ms: number) => void) | undefined
}

/** Runs a statement and logs it if it took longer than `slowQueryThreshold`. */
export async function timeQuery<Row>(
  { config, db, log }: Pick<Context, 'config' | 'db' | 'log'>,
  { className, operation, shape, record }: QueryDescription,
  statement: Fragment,
): Promise<Row[]> {
  const begin = performance.now()
  try {
    return await db.query<Row>(statement)
  } finally {
    const ms = performance.now() - begin
    if (config.slowQueryThreshold > 0 && ms >= config.slowQueryThreshold) {
      log.warn({ className, operation, shape: shape(), ms: Math.round(ms) }, 'slow query')
    }
    if (record && ms >= config.slowQueries.threshold) record(ms)
  }
}
