import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError } from '@countersign/protocol'
import { type ClientBase, type ClientConfig, Pool, type PoolConfig } from 'pg'
import type { Backend, DatabaseLogger } from '../Database.ts'
import { DatabaseUnavailable, isCanceled, isUnavailable, isUndefinedTable, translateError } from '../databaseErrors.ts'
import type { OpenDatabaseOptions } from '../OpenDatabaseOptions.ts'
import { passingTables } from '../passingTables.ts'
import {
  createStatementNames,
  describeResult,
  reserveClient,
  runStatement,
  type StatementNames,
} from '../runStatement.ts'
import type { Statement } from '../Statement.ts'
import { valueTypes } from '../valueTypes.ts'
import { createHosts, type Hosts } from './createHosts.ts'
import { createListener } from './createListener.ts'
import { createPipelines, type Pipelines } from './createPipelines.ts'
import { findPooler } from './findPooler.ts'
import { describeAddresses } from './readAddresses.ts'

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
/** Idle time after which the system asks the other side for a sign of life. */
const KEEP_ALIVE = 5_000
/** Silence after which another host is tried. */
const FAILOVER_WITHIN = 10_000
const DEFAULT_POOL_SIZE = 10
/** Reads of callers that are not known to be quick share these alone: however slow they are, others still get through. */
const READERS = 4
/** Reads of such tables share as many others: one that a silent node keeps waiting does not end, not even at its limit. */
const distributedTable = 'countersign_shards.'
/** On a pipelined connection everyone behind a statement waits for it: what takes longer moves to another. */
const QUICK = 1_000
const QUICK_READ = 300

const busy = (cause: unknown) =>
  new CountersignError('Timeout', 'Too many slow queries are running. Try again.', { status: 503, cause })

/** A PostgreSQL server, over a pool of connections and a few pipelined ones for named statements that only read. */
export async function openPostgres({
  databaseUrl,
  directDatabaseUrl,
  poolSize = DEFAULT_POOL_SIZE,
  patience = 30_000,
  logger,
}: OpenDatabaseOptions & { databaseUrl: string }): Promise<Backend> {
  const config: ClientConfig = {
    types: valueTypes,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    fallback_application_name: 'countersign',
  }
  const isPooled = await waitForServer({ databaseUrl, config, patience, logger })
  if (isPooled && directDatabaseUrl === undefined) throw new Error(needsDirect)
  const hosts = createHosts(databaseUrl, config, isPooled ? 'pooled' : 'full')
  // Notifications and snapshots need a connection that stays the same.
  const direct = isPooled && directDatabaseUrl ? createHosts(directDatabaseUrl, config, 'full') : hosts

  const names = createStatementNames()
  const pool = openPool(hosts, { ...config, max: poolSize }, logger)
  const readers = openPool(hosts, { ...config, max: READERS }, logger)
  const distributed = openPool(hosts, { ...config, max: READERS }, logger)
  // Their statements are limited by a setting of the session, which a pooler hands to somebody else.
  const openQuick = (longest: number) => (isPooled ? undefined : openPipelines({ hosts, names, longest, logger }))
  // Queries of callers must not delay the server's own, such as session checks.
  const [pipelines, askedPipelines] = await Promise.all([openQuick(QUICK), openQuick(QUICK_READ)])
  const listener = createListener({ connect: direct.connect, logger })

  const reserve = async (from: Pool) => {
    for (let tries = 1; ; tries++) {
      try {
        return await from.connect()
      } catch (error) {
        if (from !== pool && from.totalCount >= READERS) throw busy(error)
        // Another host may take writes by now.
        if (tries >= hosts.count || !isUnavailable(error)) throw translateError(error)
      }
    }
  }

  const slow = createRecentNames(slowFor)
  const planned = createRecentNames(plannedFor)

  const poolFor = ({ text, timeout }: Statement): Pool => {
    if (text.includes(distributedTable) && isRead(text)) return distributed
    return timeout === undefined ? pool : readers
  }

  const queryPooled = async <Row>(given: Statement) => {
    const isPlanned = given.timeout !== undefined || (given.name !== undefined && slow.has(given.name))
    const statement = isPlanned || isPooled ? withoutName(given) : given
    const client = await reserve(poolFor(statement))
    let lost = false
    try {
      if (statement.timeout === undefined) return await runStatement<Row>(names, client, statement)
      if (isPooled) return await runLimited<Row>(names, client, statement)
      await limitTime(client, statement.timeout)
      return await runStatement<Row>(names, client, statement)
    } catch (error) {
      lost = isUnavailable(error)
      throw error
    } finally {
      client.release(lost)
    }
  }

  const isPipelined = createPipelineChoice(isPooled, slow)

  const queryPipelined = <Row>(statement: Statement) => {
    const name = statement.name as string
    const isPlanned = planned.has(name)
    const sent = isPlanned ? withoutName(statement) : statement
    const target = (statement.timeout === undefined ? pipelines : askedPipelines) as Pipelines
    return target.query<Row>(sent).catch(async (error) => {
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
          if (statement.timeout === undefined) return run(isPooled ? withoutName(statement) : statement)
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
    pools: () => ({ writes: poolState(pool), reads: poolState(readers), distributed: poolState(distributed) }),
    snapshot: ({ holdWrites = false }) => openSnapshot(direct.connect, holdWrites),
    close: async () => {
      const ends = [pool, readers, distributed].map((each) => each.end())
      await Promise.all([...ends, pipelines?.close(), askedPipelines?.close(), listener.close()])
    },
  }
}

function openPool(hosts: Hosts, config: PoolConfig, logger: DatabaseLogger | undefined): Pool {
  const pool = new Pool({
    ...config,
    Client: hosts.HostClient,
    idleTimeoutMillis: 60_000,
    onConnect: hosts.prepareSession,
  })
  // Not the error itself: the driver attaches the connection to it, with its cancel key and statements.
  pool.on('error', (error) => logger?.warn({ reason: reasonOf(error) }, 'A database connection was lost'))
  return pool
}

type PipelineParts = {
  hosts: Hosts
  names: StatementNames
  /** Milliseconds that a statement may take. */
  longest: number
  logger: DatabaseLogger | undefined
}

function openPipelines({ hosts, names, longest, logger }: PipelineParts): Promise<Pipelines> {
  const connect = async () => {
    const client = await hosts.connect()
    await client.query(`set statement_timeout = ${longest}`)
    return client
  }
  // With one host there is nowhere else to go: a database that pauses for a while keeps its connections.
  const failover = hosts.count > 1 ? { within: FAILOVER_WITHIN, onSilent: hosts.abandon } : {}
  return createPipelines({ connect, names, logger, ...failover }).catch((error) => {
    throw translateError(error)
  })
}

/**
 * Decides which statements go to a pipelined connection: named ones that only read. A write waits for the disk at its
 * commit, and everyone behind it would wait along.
 */
function createPipelineChoice(isPooled: boolean, slow: RecentNames) {
  const choices = new Map<string, boolean>()
  return ({ name, text, quick, timeout }: Statement): boolean => {
    if (isPooled || name === undefined || slow.has(name) || (timeout !== undefined && timeout < QUICK_READ))
      return false
    const known = choices.get(name)
    if (known !== undefined) return known
    const decided = (quick || isRead(text)) && !text.includes(distributedTable)
    // Shapes come and go, each under a name of its own.
    if (choices.size >= 5_000) choices.clear()
    choices.set(name, decided)
    return decided
  }
}

/**
 * PostgreSQL plans an unnamed statement for its values. The generic plan of a named one reads a whole class for a
 * reader who sees ten rows of it, once five others have run on the connection.
 */
const withoutName = (statement: Statement): Statement => ({ ...statement, name: undefined })

/** The database as it is now, for a backup. With `holdWrites` nobody writes until it is closed. */
async function openSnapshot(connect: Hosts['connect'], holdWrites: boolean) {
  const open = () =>
    connect().catch((error) => {
      throw translateError(error)
    })
  const holder = holdWrites ? await open() : undefined
  if (holder) await lockTables(holder)
  // Outside the pool: the time it takes grows with the database.
  const client = await open()
  await beginSnapshot(client)
  return {
    query: <Row>(statement: Statement) => runStatement<Row>(createStatementNames(), client, statement),
    describe: (statement: Statement) => describeResult(client, statement),
    close: async () => {
      await holder?.end()
      await client.end()
    },
  }
}

/**
 * Begins to read. No class gets another layout until it ends: in this snapshot the new table would be empty. The
 * lock comes before the snapshot, and a database that no server has used yet has nothing to lock.
 */
async function beginSnapshot(client: ClientBase): Promise<void> {
  const begin = 'begin isolation level repeatable read read only'
  await client.query(begin)
  await client.query('lock table countersign.class_moves in access share mode').catch(async (error) => {
    if (!isUndefinedTable(error) && (error as { code?: unknown }).code !== '3F000') throw error
    await client.query('rollback')
    await client.query(begin)
  })
}

/** Blocks all writes until the connection ends. Tables that a backup leaves out are left out here, too. */
async function lockTables(client: ClientBase): Promise<void> {
  await client.query('begin; lock table countersign.classes in share mode')
  const { rows } = await client.query<{ tables: string | null }>(
    `
    select string_agg(format('%I.%I', n.nspname, c.relname), ', ' order by c.oid) as tables
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'countersign', 'countersign_shards') and c.relkind in ('r', 'p')
      and (n.nspname <> 'countersign' or c.relname::text <> all($1::text[]))`,
    [passingTables],
  )
  if (rows[0]?.tables) await client.query(`lock table ${rows[0].tables} in share mode`)
}

const poolState = ({ options, totalCount, idleCount, waitingCount }: Pool) => ({
  size: options.max,
  total: totalCount,
  idle: idleCount,
  waiting: waitingCount,
})

/** Returns true for statements that only read, by their keywords. Doubtful ones count as writes. */
export const isRead = (text: string): boolean => reads.test(text) && !writes.test(text)

/** Limits the time of each statement on a connection. Sent to the database only if it differs. */
async function limitTime(client: ClientBase, timeout: number): Promise<void> {
  if (timeoutByConnection.get(client) === timeout) return
  timeoutByConnection.delete(client)
  await client.query(`set statement_timeout = ${timeout}`)
  timeoutByConnection.set(client, timeout)
}

/**
 * Runs a statement with its own time limit in a transaction of its own, which a pooler keeps on one connection. All of
 * it goes out at once.
 */
function runLimited<Row>(names: StatementNames, client: ClientBase, statement: Statement): Promise<Row[]> {
  const ignore = () => {}
  client.query('begin').catch(ignore)
  client.query(`set local statement_timeout = ${statement.timeout}`).catch(ignore)
  const result = runStatement<Row>(names, client, statement)
  const ended = client.query('commit').catch(ignore)
  return result.finally(() => ended)
}

type RecentNames = { add(name: string): void; has(name: string): boolean; delete(name: string): void }

/** Names of statements that are remembered for a time. */
function createRecentNames(lifetime: number): RecentNames {
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

type Parts = { databaseUrl: string; config: ClientConfig; patience: number; logger?: DatabaseLogger | undefined }

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join('; ')
  return error instanceof Error ? error.message : String(error)
}

const needsDirect =
  'DATABASE_URL leads to a connection pooler in transaction mode. Set COUNTERSIGN_DIRECT_DATABASE_URL to the address of ' +
  'PostgreSQL itself, which notifications and backups need, or let the pooler use session mode.'

/**
 * Waits for a server that is still starting, or for a standby to be promoted; what waiting cannot fix fails at once.
 * Resolves to true if a pooler in transaction mode is in between.
 */
async function waitForServer({ databaseUrl, config, patience, logger }: Parts): Promise<boolean> {
  const target = `PostgreSQL at ${describeAddresses(databaseUrl)}`
  const hosts = createHosts(databaseUrl, config, 'none')
  const until = Date.now() + patience
  let reportAt = 0
  for (;;) {
    try {
      const client = await hosts.connect()
      const unfit = await findUnfit(client).finally(() => client.end().catch(() => {}))
      if (unfit) throw new Error(unfit)
      return (await findPooler(hosts.connect)) === 'transaction'
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
    }
    await pause(Math.min(500, Math.max(0, until - Date.now())))
  }
}

async function findUnfit(client: ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string; encoding: string; bytea: string }>(
    "select current_setting('server_version') as version, current_setting('server_encoding') as encoding, current_setting('bytea_output') as bytea",
  )
  const { version = '', encoding, bytea } = rows[0] ?? {}
  if (Number.parseInt(version, 10) < MINIMUM_VERSION)
    return `is version ${version}; Countersign needs ${MINIMUM_VERSION} or newer.`
  if (encoding !== 'UTF8') return `is encoded in ${encoding}; create it with the encoding UTF8.`
  if (bytea !== 'hex') return `has bytea_output = ${bytea}; set it to hex.`
}
