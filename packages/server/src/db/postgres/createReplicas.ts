import { randomUUID } from 'node:crypto'
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import type { Database, DatabaseLogger } from '../Database.ts'
import { isCanceled, isUnavailable } from '../databaseErrors.ts'
import { createStatementNames, runStatement } from '../runStatement.ts'
import type { Statement } from '../Statement.ts'
import { compile, type Fragment, sql } from '../sql.ts'
import { valueTypes } from '../valueTypes.ts'
import { readAddresses } from './readAddresses.ts'

/** Limits of a result, in milliseconds of `performance.now()`. */
export type Staleness = {
  /** Largest age: everything committed earlier is in the result. */
  maxAge: number
  /** Everything committed before this moment is in the result, too. */
  since: number
}

export type ReplicaState = {
  /** Host and port. */
  name: string
  /** Age of its data in milliseconds; absent while it does not respond, or does not follow the primary. */
  age: number | undefined
  /** Queries that it served since the start. */
  reads: number
  /** Queries that moved to the primary after it failed. */
  failures: number
}

export type Replicas = {
  /**
   * Runs a read on a replica that is recent enough. `undefined` if there is none, or if it failed: the primary serves
   * the query then.
   */
  read<Row>(statement: Fragment, limits: Staleness): Promise<{ rows: Row[]; age: number } | undefined>
  list(): ReplicaState[]
  close(): Promise<void>
}

type Parts = { db: Database; replicaUrl: string; logger?: DatabaseLogger | undefined }

/** Time between two marks: the smallest age that can be proved is a little more. */
const markEvery = 500
/** The same while no query has asked for a replica in the last minute. */
const markIdleEvery = 5_000
const idleAfter = 60_000
/** Silence after which a replica is given up until it responds again. */
const patience = 2_000
/** Marks are forgotten after this time: no older data is served. */
const longestAge = 3_600_000
/** Connections to each replica. */
const size = 8
/** A replayed `alter table` blocks readers of a replica. */
const lockTimeout = 500

type Replica = {
  name: string
  pool: Pool
  clients: Set<PoolClient>
  probe: Client | undefined
  config: ClientConfig
  /** When the newest mark seen on it was written. */
  newest: number | undefined
  isProbing: boolean
  reads: number
  failures: number
}

/**
 * Read replicas. The server writes numbered marks to the primary and remembers when; a replica that shows a mark has
 * everything committed before it. Each query reads the mark in its own snapshot, so its age is known even behind a load
 * balancer, with a paused or promoted replica, an idle primary, or clocks that differ.
 */
export function createReplicas({ db, replicaUrl, logger }: Parts): Replicas {
  const server = randomUUID()
  const marks = createMarks()
  const replicas = readAddresses(replicaUrl, 'COUNTERSIGN_REPLICA_URL').map((url) => openReplica(url, logger))
  const readMark = `select mark from countersign.replica_marks where server = '${server}'`
  const names = createStatementNames()
  let wishedAt = Number.NEGATIVE_INFINITY
  let turn = 0
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()

  const work = async (): Promise<void> => {
    const mark = marks.begin()
    if (mark === 1)
      await db.query(sql`delete from countersign.replica_marks where at < now() - interval '1 day'`).catch(() => {})
    await writeMark(db, server, mark).catch(() => {})
    // A replica that hangs must not delay the marks.
    void Promise.all(replicas.map((replica) => probe(replica, marks, readMark, logger)))
  }

  const run = () => {
    if (closed) return
    working = work().then(() => {
      const isIdle = performance.now() - wishedAt > idleAfter
      timer = setTimeout(run, isIdle ? markIdleEvery : markEvery)
      timer.unref()
    })
  }
  run()

  /** Recent replicas, the least busy first; equal ones take turns. */
  const choose = (oldest: number): Replica[] => {
    const recent = replicas.filter(({ newest }) => newest !== undefined && newest + markEvery >= oldest)
    if (recent.length < 2) return recent
    const first = turn++ % recent.length
    return [...recent.slice(first), ...recent.slice(0, first)].toSorted((one, other) => loadOf(one) - loadOf(other))
  }

  const readFrom = async <Row>(replica: Replica, statement: Statement, oldest: number) => {
    const client = await replica.pool.connect()
    let broken = true
    try {
      const found = await sendRead<Row>(client, names, statement, readMark)
      broken = false
      const at = found.mark === undefined ? undefined : marks.see(replica, found.mark)
      if (at === undefined || at < oldest) {
        replica.newest = at
        return undefined
      }
      replica.reads++
      return { rows: found.rows, at }
    } catch (error) {
      broken = isUnavailable(error)
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    async read<Row>(fragment: Fragment, { maxAge, since }: Staleness) {
      const begin = performance.now()
      // A transaction sees its own changes. Without notifications, rights may be older than the replica.
      if (closed || maxAge <= 0 || db.inside() || !db.listening()) return undefined
      if (begin - wishedAt > idleAfter) {
        clearTimeout(timer)
        void working.then(run)
      }
      wishedAt = begin
      const oldest = Math.max(begin - Math.min(maxAge, longestAge), since)
      const [replica] = choose(oldest)
      if (!replica) return undefined
      const statement = compile(fragment)
      try {
        const found = await readFrom<Row>(replica, statement, oldest)
        return found && { rows: found.rows, age: Math.max(0, begin - found.at) }
      } catch (error) {
        const { timeout } = statement
        if (timeout !== undefined && isCanceled(error) && performance.now() - begin >= timeout) throw error
        replica.failures++
        // A pool whose connections are all busy says nothing about the replica.
        if (isUnavailable(error) && loadOf(replica) < size) replica.newest = undefined
        return undefined
      }
    },
    list: () => {
      const now = performance.now()
      return replicas.map(({ name, newest, reads, failures }) => {
        return { name, age: newest === undefined ? undefined : now - newest, reads, failures }
      })
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await working
      await db.query(sql`delete from countersign.replica_marks where server = ${server}::uuid`).catch(() => {})
      await Promise.all(replicas.map(({ pool, probe }) => Promise.all([pool.end(), probe?.end().catch(() => {})])))
    },
  }
}

/** When each mark was written, on this process's own clock. Numbers are never used again. */
function createMarks() {
  const times = new Map<number, number>()
  let last = 0
  return {
    begin(): number {
      const now = performance.now()
      for (const [mark, time] of times) {
        if (now - time <= longestAge) break
        times.delete(mark)
      }
      times.set(++last, now)
      return last
    },
    /** Notes a mark that a replica shows, and returns when it was written. */
    see(replica: Replica, mark: string): number | undefined {
      const time = times.get(Number(mark))
      replica.newest = time ?? replica.newest
      return time
    },
  }
}

async function writeMark(db: Database, server: string, mark: number): Promise<void> {
  // A commit that waits for the disk would make the mark older, and is not needed: it counts where it arrived.
  await db.query(sql`
    with quick as (select set_config('synchronous_commit', 'off', true))
    insert into countersign.replica_marks (server, mark) select ${server}::uuid, ${mark}::bigint from quick
    on conflict (server) do update set mark = excluded.mark, at = excluded.at`)
}

function openReplica(url: string, logger: DatabaseLogger | undefined): Replica {
  const config: ClientConfig = {
    connectionString: url,
    types: valueTypes,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: patience,
    fallback_application_name: 'countersign',
  }
  const pool = new Pool({ ...config, max: size, idleTimeoutMillis: 60_000 })
  const { host, port } = new Client({ connectionString: url })
  const name = `${host}:${port}`
  const clients = new Set<PoolClient>()
  pool.on('connect', (client) => {
    clients.add(client)
    client.once('end', () => clients.delete(client))
    // The pool listens only to idle ones; without a listener a lost connection would end the process.
    client.on('error', () => {})
  })
  pool.on('error', (error) => logger?.warn({ replica: name, reason: error.message }, 'A database connection was lost'))
  const state = { newest: undefined, isProbing: false, reads: 0, failures: 0 }
  return { name, pool, clients, probe: undefined, config, ...state }
}

/** Has a connection of its own: those of the pool may be busy with slow queries. */
async function openProbe(replica: Replica): Promise<Client> {
  const client = new Client(replica.config)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Looks how recent a replica is; one that does not respond is abandoned. */
async function probe(
  replica: Replica,
  marks: ReturnType<typeof createMarks>,
  readMark: string,
  logger: DatabaseLogger | undefined,
): Promise<void> {
  if (replica.isProbing) return
  replica.isProbing = true
  const silent = setTimeout(() => abandon(replica), patience)
  try {
    replica.probe ??= await openProbe(replica)
    const { rows } = await replica.probe.query<{ mark: string }>(readMark)
    if (rows[0]) marks.see(replica, rows[0].mark)
  } catch (error) {
    replica.newest = undefined
    abandon(replica)
    logger?.warn({ replica: replica.name, reason: (error as Error).message }, 'A read replica does not respond')
  } finally {
    clearTimeout(silent)
    replica.isProbing = false
  }
}

/** Cuts every connection to a replica that does not respond; what waits on them moves to the primary. */
function abandon(replica: Replica): void {
  replica.newest = undefined
  replica.probe?.connection.stream.destroy()
  replica.probe = undefined
  for (const client of replica.clients) client.connection.stream.destroy()
}

function loadOf({ pool }: Replica): number {
  return pool.totalCount - pool.idleCount + pool.waitingCount
}

/**
 * Runs a read in a snapshot of its own, and the mark with it. Everything goes out at once, and no setting outlives the
 * transaction, so a pooler may be in between.
 */
async function sendRead<Row>(
  client: PoolClient,
  names: ReturnType<typeof createStatementNames>,
  statement: Statement,
  readMark: string,
): Promise<{ rows: Row[]; mark: string | undefined }> {
  const ignore = () => {}
  const opened: Promise<unknown> = client.query(`
    begin isolation level repeatable read read only;
    set local statement_timeout = ${statement.timeout ?? 0};
    set local lock_timeout = ${lockTimeout};
    set local timezone = 'UTC';
    set local datestyle = 'ISO';
    set local bytea_output = 'hex';
    ${readMark}`)
  opened.catch(ignore)
  const read = runStatement<Row>(names, client, { ...statement, name: undefined })
  read.catch(ignore)
  const ended = client.query('commit').catch(ignore)
  try {
    const results = (await opened) as { rows: { mark: string }[] }[]
    return { mark: results.at(-1)?.rows[0]?.mark, rows: await read }
  } finally {
    await ended
  }
}
