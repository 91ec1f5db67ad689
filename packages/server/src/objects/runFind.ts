import { CountersignError } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import type { Statement } from '../db/Database.ts'
import { isCanceled } from '../db/databaseErrors.ts'
import { describeCondition } from '../queries/describeCondition.ts'
import { hasPattern } from '../queries/hasPattern.ts'
import { timeQuery } from '../queries/timeQuery.ts'
import type { ReadyFind } from './writeFind.ts'

/** Runs the statement of a query. One with a pattern gets only so much time: its cost does not show in its length. */
export async function runFind<Row>(
  context: Context,
  { schema, condition }: ReadyFind,
  operation: string,
  statement: Statement,
): Promise<Row[]> {
  const told = { className: schema.className, operation, shape: () => describeCondition(condition) }
  const run = () => timeQuery<Row>(context, told, statement)
  // The embedded database knows no clock while it works; what a pattern may cost is bounded by how it is read.
  if (context.db.kind === 'embedded' || !hasPattern(condition)) return run()
  const { regexTimeout } = context.config.requestComplexity
  try {
    return await context.db.transaction(async () => {
      await context.db.query({ text: `set local statement_timeout = ${regexTimeout}` })
      const rows = await run()
      await context.db.query({ text: 'set local statement_timeout to default' })
      return rows
    })
  } catch (error) {
    if (!isCanceled(error)) throw error
    throw new CountersignError(
      'Timeout',
      `The query took longer than ${regexTimeout} ms. Narrow it by other conditions, or use a simpler pattern.`,
    )
  }
}
