import driver, { type Connection, Query } from 'pg'

/** A prepared statement of one connection. The database never changes the columns of one; where it must, it refuses it. */
export type Shape = { columns: Columns | undefined }

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
export class PreparedQuery extends Query {
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
