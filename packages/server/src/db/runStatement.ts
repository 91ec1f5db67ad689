import driver, { type ClientBase, type Connection, Query, type QueryResult } from 'pg'
import { isStaleStatement, translateError } from './databaseErrors.ts'
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
function submitStatement(
  client: ClientBase,
  statement: Statement,
  name: string | undefined,
  done: (error: unknown, result: StatementResult) => void,
): void {
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
export async function describeResult(client: ClientBase, { text, values }: Statement): Promise<ResultColumn[]> {
  const { fields } = await client.query({ text, values }).catch((error) => {
    throw translateError(error)
  })
  return fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }))
}

/** A prepared statement of one connection. The database never changes the columns of one; where it must, it refuses it. */
type Shape = { columns: Columns | undefined }

/** Columns of a result and the functions that read them, as the driver keeps them in a result. */
type Columns = Pick<Result, 'fields' | '_parsers' | '_prebuiltEmptyResultObject'>

/** Parts of the driver that its types lack. */
type Result = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown }

type Internals = {
  name: string
  values: unknown[] | undefined
  _result: Result
  _accumulateRows: boolean
  hasBeenParsed(connection: Connection): boolean
  prepare(connection: Connection): void
  handleCommandComplete(message: object, connection: Connection): void
  handleError(error: unknown, connection: Connection): void
}

const { prepareValue } = (driver as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

const inherited = Query.prototype as unknown as Internals

/**
 * A query of a named statement that asks for the columns of its result only once a connection. The driver asks with
 * every execution: a message more each way, and the readers of all columns are looked up again.
 */
class PreparedQuery extends Query {
  readonly shape: Shape

  constructor(
    { name, text, values }: { name: string; text: string; values: unknown[] | undefined },
    shape: Shape,
    done: ConstructorParameters<typeof Query>[2],
  ) {
    super(text, values, done)
    this.shape = shape
    ;(this as unknown as Internals).name = name
  }

  prepare(connection: Connection): void {
    const own = this as unknown as Internals
    const { columns } = this.shape
    if (!columns || !own.hasBeenParsed(connection)) {
      inherited.prepare.call(own, connection)
      return
    }
    try {
      connection.bind({ statement: own.name, values: own.values, valueMapper: prepareValue } as never, true)
    } catch (error) {
      connection.sync()
      own.handleError(error, connection)
      return
    }
    Object.assign(own._result, columns)
    own._accumulateRows = true
    connection.execute(null, true)
    connection.sync()
  }

  handleCommandComplete(message: object, connection: Connection): void {
    const own = this as unknown as Internals
    const { fields, _parsers, _prebuiltEmptyResultObject } = own._result
    this.shape.columns ??= { fields, _parsers, _prebuiltEmptyResultObject }
    inherited.handleCommandComplete.call(own, message, connection)
  }
}

export type StatementNames = {
  /** The name under which the statement is prepared at present. */
  current(name: string): string
  /** Gives a statement another name, so that every connection prepares it again. */
  renew(name: string, stale: string): void
}

/**
 * A prepared statement goes stale when its table changes shape. It then gets a new name rather than being
 * deallocated: on a pipelined connection others that use the old one are in flight.
 */
export function createStatementNames(): StatementNames {
  const renewed = new Map<string, { name: string; times: number }>()
  return {
    current: (name) => (renewed.size === 0 ? name : (renewed.get(name)?.name ?? name)),
    renew: (name, stale) => {
      const entry = renewed.get(name)
      if ((entry?.name ?? name) !== stale) return
      const times = (entry?.times ?? 0) + 1
      renewed.set(name, { name: `${name}~${times}`, times })
    },
  }
}

/** One connection for the use of one transaction, until it is released. */
export type ReservedConnection = {
  run(statement: Statement): Promise<StatementResult>
  release(broken: boolean): void
}

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
