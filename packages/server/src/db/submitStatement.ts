import { type ClientBase, Query, type QueryResult } from 'pg'
import { countPrepared } from './countPrepared.ts'
import type { Statement } from './Database.ts'

export type StatementResult = Pick<QueryResult, 'rows' | 'command'>

/**
 * Sends a statement and calls back once. A query object with a plain callback spares the copy of the
 * configuration and the second promise that `client.query({ … })` makes for each statement.
 */
export const submitStatement = (
  client: ClientBase,
  statement: Statement,
  name: string | undefined,
  done: (error: unknown, result: StatementResult) => void,
): void => {
  const query: Query & { name?: string } = new Query(
    statement.text,
    statement.values,
    (error: Error | undefined, result: StatementResult | StatementResult[]) => {
      // Several statements in one text have a result each: the last one counts.
      done(error, Array.isArray(result) ? (result.at(-1) as StatementResult) : result)
    },
  )
  if (name !== undefined) {
    query.name = name
    countPrepared(client, name, statement.text)
  }
  client.query(query)
}
