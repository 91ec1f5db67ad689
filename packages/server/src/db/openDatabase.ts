import { createTransactions, type TransactionOptions } from './createTransactions.ts'
import type { Database, DatabaseLogger, SnapshotOptions } from './Database.ts'
import { compile, type Fragment } from './sql.ts'

export type OpenDatabaseOptions = {
  /** A PostgreSQL server; without it the embedded database is used. */
  databaseUrl?: string | undefined
  /** Where the embedded database lies; `memory://` keeps nothing. */
  dataFolder: string
  /** How many transactions and unnamed statements a PostgreSQL server runs for this process at a time. */
  poolSize?: number | undefined
  /** How long to wait for a PostgreSQL server that cannot be reached at start, in milliseconds. */
  patience?: number | undefined
  /** The files of a fresh database for `memory://`, as a tar archive: spares making them, which takes seconds. */
  template?: Blob | undefined
  /** A new embedded database has no tables, for a restore. By default it comes with all migrations. */
  bare?: boolean | undefined
  logger?: DatabaseLogger | undefined
}

export const openDatabase = async (options: OpenDatabaseOptions): Promise<Database> => {
  const { databaseUrl, logger } = options
  const backend = databaseUrl
    ? await (await import('./postgres/openPostgres.ts')).openPostgres({ ...options, databaseUrl })
    : await (await import('./embedded/openEmbedded.ts')).openEmbedded(options)
  const { query, transaction, nest, afterCommit, note, findNote, reportChange, watchChanges, inside, outside } =
    createTransactions({ ...backend, logger })

  let closing: Promise<void> | undefined

  return {
    kind: databaseUrl ? 'postgres' : 'embedded',
    query,
    transaction: <Result>(work: () => Promise<Result>, tries?: TransactionOptions) => transaction(work, tries),
    nest,
    inside,
    afterCommit,
    note,
    findNote,
    reportChange,
    watchChanges,
    listen: async (channel: string, handle: (payload: string) => void, missed: () => void = () => {}) => {
      if (inside()) throw new Error('Listening cannot begin inside a transaction: it would end with a rollback.')
      return backend.listen(
        channel,
        (payload) => void outside(() => handle(payload)),
        () => void outside(missed),
      )
    },
    listening: backend.listening,
    pools: backend.pools,
    snapshot: async (options: SnapshotOptions = {}) => {
      if (inside()) throw new Error('A snapshot cannot be taken inside a transaction.')
      const { query: read, close } = await backend.snapshot(options)
      return { query: <Row>(statement: Fragment) => read<Row>(compile(statement)), close }
    },
    close: () => {
      closing ??= backend.close()
      return closing
    },
  }
}
