import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { isCanceled } from '../../db/databaseErrors.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { hasPattern } from '../../queries/Condition.ts'
import { describeCondition, type QueryDescription, recordSlowQuery, timeQuery } from '../../queries/slowQueries.ts'
import { tooLarge } from './createBudget.ts'
import { readStale } from './staleReads.ts'
import { type ReadyFind, writeFind } from './writeFind.ts'

/** Runs the statement of a query, with a timeout: short queries can be expensive. */
export async function runFind<Row extends object>(
  context: Context,
  find: ReadyFind,
  operation: 'find' | 'count' | 'get' | 'include',
  statement: Fragment,
): Promise<Row[]> {
  const { schema, condition, sorts } = find
  const description: QueryDescription = {
    className: schema.className,
    operation,
    shape: () => describeCondition(condition),
    // The others go by the primary key.
    record:
      operation === 'find' || operation === 'count'
        ? (ms) => recordSlowQuery(context, { schema, operation, condition, sorts, statement }, ms)
        : undefined,
  }
  const timeout = findTimeout(context, find)
  try {
    const limited = timeout === undefined ? statement : sql.limited(statement, timeout)
    const { stale } = find
    const readElsewhere = stale && (() => readStale<Row>(context, find, stale, limited))
    return await timeQuery<Row>(context, description, limited, readElsewhere)
  } catch (error) {
    if (timeout === undefined || !isCanceled(error)) throw error
    throw new CountersignError('Timeout', `The query took longer than ${timeout} ms. ${advise(find, operation)}`)
  }
}

/** The database reads every row that it skips. */
const longSkip = 10_000

function advise({ skip = 0 }: ReadyFind, operation: 'find' | 'count' | 'get' | 'include'): string {
  if (operation === 'count') {
    return 'Counting reads every object that matches. Add conditions, or use count=estimate with the master key.'
  }
  if (skip > longSkip) return `Use cursor instead of skip to read beyond the first ${longSkip} objects.`
  return 'Add conditions, use a simpler pattern, or create an index.'
}

/** The rows of a query as the database writes them: a list in JSON. */
export async function fetchRows(
  context: Context,
  find: ReadyFind,
  operation: 'find' | 'get' | 'include',
): Promise<string> {
  const [answer] = await runFind<{ rows: string | null }>(context, find, operation, writeFind(find))
  if (!answer || answer.rows === null) throw tooLarge()
  return answer.rows
}

function findTimeout({ config }: Context, { access, condition }: ReadyFind): number | undefined {
  const { queryTimeout, regexTimeout } = config.requestComplexity
  if (hasPattern(condition)) return access.isMaster ? regexTimeout : Math.min(regexTimeout, queryTimeout)
  return access.isMaster ? undefined : queryTimeout
}
