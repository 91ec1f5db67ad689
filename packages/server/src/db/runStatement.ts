import { type ClientBase, Query, type QueryResult } from 'pg'
import type { StatementNames } from './createStatementNames.ts'
import { isStaleStatement, translateError } from './databaseErrors.ts'
import { PreparedQuery, type Shape } from './PreparedQuery.ts'
import type { ResultColumn, Statement } from './Statement.ts'

type Prepared = { shapes: Map<string, Shape>; letters: number }

type Known = { parsedStatements: object; submittedNamedStatements: object }

/** Limit of prepared text per connection: prepared statements take a multiple of it in memory. */
const mostLetters = 1_000_000

/** By connection of the driver, whose objects have no room for a field of ours. */
const preparedByConnection = new WeakMap<ClientBase, Prepared>()

/**
 * Counts prepared statements of a connection and starts over before there are too many: callers choose the shapes, and
 * the database would keep each as long as the connection lives. Statements in flight come first; one that is being
 * prepared at this moment is found stale on its next use, and prepared again.
 */
function countPrepared(client: ClientBase, name: string, text: string): Shape {
  const prepared = preparedByConnection.get(client) ?? startCounting(client)
  const known = prepared.shapes.get(name)
  if (known) return known
  if (prepared.letters + text.length > mostLetters) {
    const { connection } = client as unknown as { connection: Known }
    client.query('deallocate all').catch(() => {})
    connection.parsedStatements = {}
    connection.submittedNamedStatements = {}
    prepared.shapes.clear()
    prepared.letters = 0
  }
  const shape: Shape = { columns: undefined }
  prepared.shapes.set(name, shape)
  prepared.letters += text.length
  return shape
}

function startCounting(client: ClientBase): Prepared {
  const prepared: Prepared = { shapes: new Map(), letters: 0 }
  preparedByConnection.set(client, prepared)
  return prepared
}

/** Copy functions of the driver's connection, which its types lack. */
type CopyTarget = { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

/** The driver copies each chunk. */
const copiedAtOnce = 256 * 1024

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
  const { text, values, copy } = statement
  if (name !== undefined && copy === undefined) {
    client.query(new PreparedQuery({ name, text, values }, countPrepared(client, name, text), done))
    return
  }
  const query: Query & { handleCopyInResponse?: (connection: CopyTarget) => void } = new Query(
    text,
    values,
    (error: Error | undefined, result: StatementResult | StatementResult[]) => {
      // Several statements in one text have a result each: the last one counts.
      done(error, Array.isArray(result) ? (result.at(-1) as StatementResult) : result)
    },
  )
  if (copy !== undefined) {
    query.handleCopyInResponse = (connection) => {
      for (let from = 0; from < copy.length; from += copiedAtOnce) {
        connection.sendCopyFromChunk(copy.subarray(from, from + copiedAtOnce))
      }
      connection.endCopyFrom()
    }
  }
  client.query(query)
}

/** Runs a statement outside a transaction. A stale prepared statement did not run: it is prepared again and repeated. */
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

/** Runs a statement and returns the columns of its result. */
export const describeResult = async (client: ClientBase, { text, values }: Statement): Promise<ResultColumn[]> => {
  const { fields } = await client.query({ text, values }).catch((error) => {
    throw translateError(error)
  })
  return fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }))
}
