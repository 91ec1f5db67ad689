import type { ClientBase } from 'pg'
import type { StatementNames } from './createStatementNames.ts'
import { isStaleStatement, translateError } from './databaseErrors.ts'
import type { ReservedConnection } from './ReservedConnection.ts'
import { submitStatement } from './runStatement.ts'

/** A client as the connection of one transaction. */
export const reserveClient = (
  names: StatementNames,
  client: ClientBase,
  release: (broken: boolean) => void,
): ReservedConnection => ({
  run: (statement) =>
    new Promise((resolve, reject) => {
      const name = statement.name === undefined ? undefined : names.current(statement.name)
      submitStatement(client, statement, name, (error, result) => {
        if (!error) return resolve(result)
        // The transaction is lost and will be repeated; by then the statement is prepared again.
        if (name !== undefined && isStaleStatement(error)) names.renew(statement.name as string, name)
        reject(translateError(error))
      })
    }),
  release,
})
