import { CountersignError } from '@countersign/protocol'
import { Client, type ClientConfig, Pool } from 'pg'
import type { Backend } from '../Backend.ts'
import { createStatementNames } from '../createStatementNames.ts'
import type { Statement } from '../Database.ts'
import { isCanceled, isUnavailable, translateError } from '../databaseErrors.ts'
import type { OpenDatabaseOptions } from '../openDatabase.ts'
import { reserveClient } from '../reserveClient.ts'
import { runStatement } from '../runStatement.ts'
import { valueTypes } from '../valueTypes.ts'
import { createListener } from './createListener.ts'
import { createPipelines } from './createPipelines.ts'
import { createSlowNames } from './createSlowNames.ts'
import { isRead } from './isRead.ts'
import { limitTime } from './limitTime.ts'
import { prepareSession } from './prepareSession.ts'
import { waitForServer } from './waitForServer.ts'

const CONNECT_TIMEOUT = 10_000
const DEFAULT_POOL_SIZE = 10
/** Reads of callers that are not known to be quick share these alone: however slow they are, others still get through. */
const READERS = 4
/** On a pipelined connection everyone behind a statement waits for it: what takes longer moves to another. */
const QUICK = 1_000
const QUICK_READ = 300

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
    // Without a listener a connection that is lost would end the process; the pool replaces it by itself.
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
  // What callers ask keeps nobody from what the server itself asks, such as whose session it is.
  const [pipelines, askedPipelines] = await Promise.all([openPipelines(QUICK), openPipelines(QUICK_READ)])
  const listener = createListener({ connect, logger })

  const reserve = (from: Pool) =>
    from.connect().catch((error) => {
      if (from === readers && from.totalCount >= READERS) throw busy(error)
      throw translateError(error)
    })

  const queryPooled = async <Row>(statement: Statement) => {
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
  const slow = createSlowNames()
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

  const queryPipelined = <Row>(statement: Statement) =>
    (statement.timeout === undefined ? pipelines : askedPipelines).query<Row>(statement).catch((error) => {
      if (!isCanceled(error)) throw error
      slow.add(statement.name as string)
      return queryPooled<Row>(statement)
    })

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
          const result = run(statement)
          run({ text: 'set local statement_timeout to default' }).catch(ignore)
          return result
        },
        release,
      }
    },
    listen: listener.listen,
    listening: listener.listening,
    close: async () => {
      await Promise.all([pool.end(), readers.end(), pipelines.close(), askedPipelines.close(), listener.close()])
    },
  }
}
