import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError } from '@countersign/protocol'
import { Client, type ClientBase, type ClientConfig, Pool } from 'pg'
import type { Backend, DatabaseLogger } from '../Database.ts'
import { DatabaseUnavailable, isCanceled, isUnavailable, translateError } from '../databaseErrors.ts'
import type { OpenDatabaseOptions } from '../OpenDatabaseOptions.ts'
import { reserveClient } from '../reserveClient.ts'
import { createStatementNames, runStatement, type Statement, valueTypes } from '../sql.ts'
import { createListener } from './createListener.ts'
import { createPipelines } from './createPipelines.ts'

const MINIMUM_VERSION = 14

const REPORT_EVERY = 5_000

/** Time after which a slow statement is tried on a pipelined connection again: the load may have passed. */
const slowFor = 60_000

/** Time for which a statement is planned for its values each time, after its generic plan was found to be slow. */
const plannedFor = 10 * 60_000

const mostNames = 1_000

/** The statement timeout that each connection of the driver has now. */
const timeoutByConnection = new WeakMap<ClientBase, number>()

const reads = /^\s*(select|with|values)\b/i

const writes = /\b(insert|update|delete|merge|share|into|nextval|setval|lock)\b/i

const CONNECT_TIMEOUT = 10_000
const DEFAULT_POOL_SIZE = 10
/** Reads of callers that are not known to be quick share these alone: however slow they are, others still get through. */
const READERS = 4
/** On a pipelined connection everyone behind a statement waits for it: what takes longer moves to another. */
const QUICK = 1_000
const QUICK_READ = 150

const busy = (cause: unknown) =>
  new CountersignError('Timeout', 'Too many slow queries are under way. Try again.', { status: 503, cause })

/** A PostgreSQL server, over a pool of connections and a few pipelined ones for named statements that only read. */
export const openPostgres = async ({
  databaseUrl,
  poolSize = DEFAULT_POOL_SIZE,
  patience = 30_000,
  logger,
}: OpenDatabaseOptions & { databaseUrl: string }): Promise<Backend> => {
  const config: ClientConfig = {
    connectionString: databaseUrl,
    types: valueTypes,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    fallback_application_name: 'countersign',
  }
  await waitForServer({ config, patience, logger })

  const names = createStatementNames()
  const openPool = (max: number) => {
    const pool = new Pool({ ...config, max, idleTimeoutMillis: 60_000, onConnect: prepareSession })
    // Without a listener a lost connection would end the process; the pool replaces it automatically.
    pool.on('connect', (client) => client.on('error', () => {}))
    pool.on('error', (error) => logger?.warn({ err: error }, 'A database connection was lost'))
    return pool
  }
  const pool = openPool(poolSize)
  const readers = openPool(READERS)

  const connect = async () => {
    const client = new Client(config)
    client.on('error', () => {})
    await client.connect()
    await prepareSession(client)
    return client
  }
  const openPipelines = (longest: number) => {
    const connectQuick = async () => {
      const client = await connect()
      await client.query(`set statement_timeout = ${longest}`)
      return client
    }
    return createPipelines({ connect: connectQuick, names, logger }).catch((error) => {
      throw translateError(error)
    })
  }
  // Queries of callers must not delay the server's own, such as session checks.
  const [pipelines, askedPipelines] = await Promise.all([openPipelines(QUICK), openPipelines(QUICK_READ)])
  const listener = createListener({ connect, logger })

  const reserve = (from: Pool) =>
    from.connect().catch((error) => {
      if (from === readers && from.totalCount >= READERS) throw busy(error)
      throw translateError(error)
    })

  const slow = createRecentNames(slowFor)
  const planned = createRecentNames(plannedFor)

  // PostgreSQL plans an unnamed statement for its values. The generic plan of a named one reads a whole class for a
  // reader who sees ten rows of it, once five others have run on the connection.
  const withoutName = (statement: Statement): Statement => ({ ...statement, name: undefined })

  const queryPooled = async <Row>(given: Statement) => {
    const isPlanned = given.timeout !== undefined || (given.name !== undefined && slow.has(given.name))
    const statement = isPlanned ? withoutName(given) : given
    const client = await reserve(statement.timeout === undefined ? pool : readers)
    let lost = false
    try {
      if (statement.timeout !== undefined) await limitTime(client, statement.timeout)
      return await runStatement<Row>(names, client, statement)
    } catch (error) {
      lost = isUnavailable(error)
      throw error
    } finally {
      client.release(lost)
    }
  }

  const pipelined = new Map<string, boolean>()
  // A write waits for the disk at its commit, and on a pipelined connection everyone behind it would wait along.
  const isPipelined = ({ name, text, quick, timeout }: Statement) => {
    if (name === undefined || slow.has(name) || (timeout !== undefined && timeout < QUICK_READ)) return false
    const known = pipelined.get(name)
    if (known !== undefined) return known
    const decided = quick || isRead(text)
    // Shapes come and go, each under a name of its own.
    if (pipelined.size >= 5_000) pipelined.clear()
    pipelined.set(name, decided)
    return decided
  }

  const queryPipelined = <Row>(statement: Statement) => {
    const name = statement.name as string
    const isPlanned = planned.has(name)
    const sent = isPlanned ? withoutName(statement) : statement
    return (statement.timeout === undefined ? pipelines : askedPipelines).query<Row>(sent).catch(async (error) => {
      if (!isCanceled(error)) throw error
      slow.add(name)
      const begin = performance.now()
      const rows = await queryPooled<Row>(statement)
      if (!isPlanned && performance.now() - begin < QUICK_READ) {
        planned.add(name)
        slow.delete(name)
      }
      return rows
    })
  }

  return {
    query: (statement) => (isPipelined(statement) ? queryPipelined(statement) : queryPooled(statement)),
    reserve: async () => {
      const client = await reserve(pool)
      const { run, release } = reserveClient(names, client, (broken) => client.release(broken))
      return {
        run: (statement) => {
          if (statement.timeout === undefined) return run(statement)
          // All of it goes out at once. Where the statement fails the transaction does, and its settings with it.
          const ignore = () => {}
          run({ text: `set local statement_timeout = ${statement.timeout}` }).catch(ignore)
          const result = run(withoutName(statement))
          run({ text: 'set local statement_timeout to default' }).catch(ignore)
          return result
        },
        release,
      }
    },
    listen: listener.listen,
    listening: listener.listening,
    pools: () => ({ writes: poolState(pool), reads: poolState(readers) }),
    snapshot: async ({ holdWrites = false }) => {
      const open = () =>
        connect().catch((error) => {
          throw translateError(error)
        })
      const holder = holdWrites ? await open() : undefined
      if (holder) await lockTables(holder)
      // Beside the pool: it takes as long as the database is large.
      const client = await open()
      await client.query('begin isolation level repeatable read read only')
      return {
        query: <Row>(statement: Statement) => runStatement<Row>(createStatementNames(), client, statement),
        close: async () => {
          await holder?.end()
          await client.end()
        },
      }
    },
    close: async () => {
      await Promise.all([pool.end(), readers.end(), pipelines.close(), askedPipelines.close(), listener.close()])
    },
  }
}

/** Blocks all writes until the connection ends. Tables that a backup leaves out are left out here, too. */
const lockTables = async (client: ClientBase): Promise<void> => {
  await client.query('begin; lock table countersign.classes in share mode')
  const { rows } = await client.query<{ tables: string | null }>(`
    select string_agg(format('%I.%I', n.nspname, c.relname), ', ' order by c.oid) as tables
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'countersign') and c.relkind = 'r'
      and (n.nspname = 'public' or c.relname not in
        ('challenges', 'email_codes', 'changes', 'live_classes', 'live_marks', 'live_state', 'backups'))`)
  if (rows[0]?.tables) await client.query(`lock table ${rows[0].tables} in share mode`)
}

const poolState = ({ totalCount, idleCount, waitingCount }: Pool) => ({
  total: totalCount,
  idle: idleCount,
  waiting: waitingCount,
})

/** Returns true for statements that only read, by their keywords. Doubtful ones count as writes. */
export const isRead = (text: string): boolean => reads.test(text) && !writes.test(text)

/** The settings that the reading of values leans on, whatever the server's defaults are. */
const prepareSession = async (client: ClientBase): Promise<void> => {
  await client.query("set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex'")
}

/** Limits the time of each statement on a connection. Sent to the database only if it differs. */
const limitTime = async (client: ClientBase, timeout: number): Promise<void> => {
  if (timeoutByConnection.get(client) === timeout) return
  timeoutByConnection.delete(client)
  await client.query(`set statement_timeout = ${timeout}`)
  timeoutByConnection.set(client, timeout)
}

type RecentNames = { add(name: string): void; has(name: string): boolean; delete(name: string): void }

/** Names of statements that are remembered for a time. */
const createRecentNames = (lifetime: number): RecentNames => {
  const until = new Map<string, number>()
  return {
    add: (name) => {
      if (until.size >= mostNames) until.clear()
      until.set(name, Date.now() + lifetime)
    },
    has: (name) => {
      if (until.size === 0) return false
      const end = until.get(name)
      if (end === undefined) return false
      if (end > Date.now()) return true
      until.delete(name)
      return false
    },
    delete: (name) => until.delete(name),
  }
}

type Parts = { config: ClientConfig; patience: number; logger?: DatabaseLogger | undefined }

const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Waits for a server that is still starting; what waiting cannot fix fails at once. */
const waitForServer = async ({ config, patience, logger }: Parts): Promise<void> => {
  const until = Date.now() + patience
  let reportAt = 0
  for (;;) {
    const client = createClient(config)
    client.on('error', () => {})
    const target = `PostgreSQL at ${client.host}:${client.port}, database "${client.database}"`
    try {
      await client.connect()
      const unfit = await findUnfit(client)
      if (!unfit) return
      throw new Error(unfit)
    } catch (error) {
      const reason = reasonOf(error)
      // A new error, without its cause: the driver's error could lead to the password.
      if (!isUnavailable(error)) throw new Error(`${target}: ${reason}`)
      if (Date.now() >= until) {
        throw new DatabaseUnavailable(
          `${target} could not be reached within ${Math.round(patience / 1000)} s: ${reason}. ` +
            'Start it, or fix DATABASE_URL.',
        )
      }
      if (Date.now() >= reportAt) {
        reportAt = Date.now() + REPORT_EVERY
        logger?.warn({ reason }, `Waiting for ${target}`)
      }
    } finally {
      await client.end().catch(() => {})
    }
    await pause(Math.min(500, Math.max(0, until - Date.now())))
  }
}

const createClient = (config: ClientConfig): Client => {
  try {
    if (!/^postgres(ql)?:\/\//.test(config.connectionString ?? '')) throw new Error('not a PostgreSQL address')
    return new Client(config)
  } catch {
    // The cause is left out: it may quote the address, and with it the password.
    throw new Error('DATABASE_URL is not an address of the form postgres://user:password@host:port/database.')
  }
}

const findUnfit = async (client: Client): Promise<string | undefined> => {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version') as version, current_setting('server_encoding') as encoding",
  )
  const { version = '', encoding } = rows[0] ?? {}
  if (Number.parseInt(version, 10) < MINIMUM_VERSION) return `is version ${version}; ${MINIMUM_VERSION} is the oldest.`
  if (encoding !== 'UTF8') return `is encoded in ${encoding}; create it with the encoding UTF8.`
}
