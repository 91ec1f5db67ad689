import { createTransactions, type TransactionOptions } from './createTransactions.ts'
import type { Database, SnapshotOptions } from './Database.ts'
import type { OpenDatabaseOptions } from './OpenDatabaseOptions.ts'
import type { Statement } from './Statement.ts'
import { compile, type Fragment } from './sql.ts'

export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { databaseUrl, logger } = options
  const backend = databaseUrl
    ? await (await import('./postgres/openPostgres.ts')).openPostgres({ ...options, databaseUrl })
    : await (await import('./embedded/openEmbedded.ts')).openEmbedded(options)
  const {
    query,
    transaction,
    nest,
    afterCommit,
    atEnd,
    hasEnd,
    note,
    findNote,
    reportChange,
    watchChanges,
    inside,
    outside,
  } = createTransactions({ ...backend, logger })

  let closing: Promise<void> | undefined

  return {
    kind: databaseUrl ? 'postgres' : 'embedded',
    query,
    transaction: <Result>(work: () => Promise<Result>, tries?: TransactionOptions) => transaction(work, tries),
    nest,
    inside,
    afterCommit,
    atEnd,
    hasEnd,
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
      const { query: read, describe, close } = await backend.snapshot(options)
      const query = <Row>(given: Fragment | Statement) => read<Row>('text' in given ? given : compile(given))
      return { query, describe, close }
    },
    close: () => {
      closing ??= backend.close()
      return closing
    },
  }
}
