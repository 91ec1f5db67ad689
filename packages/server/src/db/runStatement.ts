import type { ClientBase } from 'pg'
import type { StatementNames } from './createStatementNames.ts'
import type { Statement } from './Database.ts'
import { isStaleStatement, translateError } from './databaseErrors.ts'
import { submitStatement } from './submitStatement.ts'

/** Runs a statement outside a transaction. A stale prepared statement did not run: it is prepared anew and repeated. */
export const runStatement = <Row>(
  names: StatementNames,
  client: ClientBase,
  statement: Statement,
  tries = 3,
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const name = statement.name === undefined ? undefined : names.current(statement.name)
    submitStatement(client, statement, name, (error, result) => {
      if (!error) return resolve(result.rows)
      if (name === undefined || tries <= 1 || !isStaleStatement(error)) return reject(translateError(error))
      names.renew(statement.name as string, name)
      resolve(runStatement(names, client, statement, tries - 1))
    })
  })
