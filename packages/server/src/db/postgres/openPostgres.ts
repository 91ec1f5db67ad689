import { Client, type ClientConfig, Pool } from 'pg'
import type { Backend } from '../Backend.ts'
import { createStatementNames } from '../createStatementNames.ts'
import type { Statement } from '../Database.ts'
import { isUnavailable, translateError } from '../databaseErrors.ts'
import type { OpenDatabaseOptions } from '../openDatabase.ts'
import { reserveClient } from '../reserveClient.ts'
import { runStatement } from '../runStatement.ts'
import { valueTypes } from '../valueTypes.ts'
import { createListener } from './createListener.ts'
import { createPipelines } from './createPipelines.ts'
import { isRead } from './isRead.ts'
import { prepareSession } from './prepareSession.ts'
import { waitForServer } from './waitForServer.ts'

const CONNECT_TIMEOUT = 10_000
const DEFAULT_POOL_SIZE = 10

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
  const pool = new Pool({ ...config, max: poolSize, idleTimeoutMillis: 60_000, onConnect: prepareSession })
  // Without a listener a connection that is lost would end the process; the pool replaces it by itself.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', (error) => logger?.warn({ err: error }, 'A database connection was lost'))

  const connect = async () => {
    const client = new Client(config)
    client.on('error', () => {})
    await client.connect()
    await prepareSession(client)
    return client
  }
  const pipelines = await createPipelines({ connect, names, logger }).catch((error) => {
    throw translateError(error)
  })
  const listener = createListener({ connect, logger })

  const reserve = () =>
    pool.connect().catch((error) => {
      throw translateError(error)
    })

  const queryPooled = async <Row>(statement: Statement) => {
    const client = await reserve()
    let lost = false
    try {
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
  const isPipelined = ({ name, text, quick }: Statement) => {
    if (name === undefined) return false
    const known = pipelined.get(name)
    if (known !== undefined) return known
    const decided = quick || isRead(text)
    pipelined.set(name, decided)
    return decided
  }

  return {
    query: (statement) => (isPipelined(statement) ? pipelines.query(statement) : queryPooled(statement)),
    reserve: async () => {
      const client = await reserve()
      return reserveClient(names, client, (broken) => client.release(broken))
    },
    listen: listener.listen,
    listening: listener.listening,
    close: async () => {
      await Promise.all([pool.end(), pipelines.close(), listener.close()])
    },
  }
}
