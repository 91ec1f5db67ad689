import { CountersignError } from '@countersign/protocol'
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
  { config, db, log, classes }: Pick<Context, 'config' | 'db' | 'log' | 'classes'>,
  { className, operation, shape, record }: QueryDescription,
  statement: Fragment,
  /** Another source that is asked first; `undefined` if it has no result. */
  readElsewhere?: () => Promise<Row[] | undefined>,
): Promise<Row[]> {
  const begin = performance.now()
  try {
    return (await readElsewhere?.()) ?? (await db.query<Row>(statement))
  } catch (error) {
    if ((error as { code?: unknown }).code !== '0A000' || !classes.list().some(({ distributed }) => distributed))
      throw error
    throw new CountersignError(
      'InvalidQuery',
      'Citus cannot carry out this query on a distributed class. Use simpler conditions, or several queries.',
      { cause: error },
    )
  } finally {
    const ms = performance.now() - begin
    if (config.slowQueryThreshold > 0 && ms >= config.slowQueryThreshold) {
      log.warn({ className, operation, shape: shape(), ms: Math.round(ms) }, 'slow query')
    }
    if (record && ms >= config.slowQueries.threshold) record(ms)
  }
}
