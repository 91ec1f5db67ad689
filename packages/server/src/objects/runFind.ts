import { CountersignError } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import type { Statement } from '../db/Database.ts'
import { isCanceled } from '../db/databaseErrors.ts'
import { describeCondition } from '../queries/describeCondition.ts'
import { hasPattern } from '../queries/hasPattern.ts'
import { timeQuery } from '../queries/timeQuery.ts'
import { tooLarge } from './createBudget.ts'
import type { ReadyFind } from './writeFind.ts'

/** Runs the statement of a query. It gets only so much time (P13): what it costs does not show in its length. */
export async function runFind<Row extends object>(
  context: Context,
  find: ReadyFind,
  operation: string,
  statement: Statement,
): Promise<Row[]> {
  const { schema, condition } = find
  const told = { className: schema.className, operation, shape: () => describeCondition(condition) }
  const timeout = findTimeout(context, find)
  try {
    const rows = await timeQuery<Row>(context, told, timeout === undefined ? statement : { ...statement, timeout })
    if (rows.some((row) => Reflect.get(row, 'rows') === null)) throw tooLarge()
    return rows
  } catch (error) {
    if (timeout === undefined || !isCanceled(error)) throw error
    throw new CountersignError(
      'Timeout',
      `The query took longer than ${timeout} ms. Narrow it by other conditions, use a simpler pattern, or have an index made for it.`,
    )
  }
}

function findTimeout({ config }: Context, { access, condition }: ReadyFind): number | undefined {
  const { queryTimeout, regexTimeout } = config.requestComplexity
  if (hasPattern(condition)) return access.isMaster ? regexTimeout : Math.min(regexTimeout, queryTimeout)
  return access.isMaster ? undefined : queryTimeout
}
