import { constants, existsSync } from 'node:fs'
import { cp, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { Client } from 'pg'
import { channelName } from '../channelName.ts'
import type { Backend } from '../Database.ts'
import { DatabaseUnavailable } from '../databaseErrors.ts'
import type { OpenDatabaseOptions } from '../OpenDatabaseOptions.ts'
import { createStatementNames, describeResult, reserveClient, runStatement } from '../runStatement.ts'
import type { Statement } from '../Statement.ts'
import { valueTypes } from '../valueTypes.ts'
import { createDurableFs } from './createDurableFs.ts'
import { lockFolder } from './lockFolder.ts'
import { unpackPrepared } from './preparedDatabase.ts'

// All of it is written to at the start. What it does not hold comes from the system's cache of files instead.
const buffers = ['-c', 'shared_buffers=32MB']

/** For a database that keeps nothing, or that somebody else brings to the disk. */
const unsyncedParams: string[] = [...PGlite.defaultStartParams, ...buffers]

/**
 * PGlite's own start parameters with fsync turned on; fdatasync, PostgreSQL's default, is an empty call in it.
 * Less log is kept for reuse than on a server of its own.
 */
export const startParams: string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...buffers,
  ...[
    'fsync=on',
    'wal_sync_method=fsync',
    'full_page_writes=on',
    'synchronous_commit=on',
    'min_wal_size=32MB',
    'max_wal_size=128MB',
  ].flatMap((setting) => ['-c', setting]),
]

// Ten times V8's own. Otherwise the start alone has much of PostgreSQL optimized, which takes a quarter of its processor
// time and 25 MB that stay; what queries run often is optimized within seconds either way.
setFlagsFromString('--wasm-tiering-budget=18000000')

const AT_ONCE = 64

const expected = { fsync: 'on', wal_sync_method: 'fsync', full_page_writes: 'on', synchronous_commit: 'on' }

const TIDY_EVERY = 60_000

const LOG_BYTES = 64 * 1024 * 1024

/** Milliseconds from the failure to the first try to open the database again, and from one try to the next at most. */
const FIRST_TRY = 250

const LONGEST_WAIT = 30_000

type Handler = { handle: (payload: string) => void; missed: () => void }

/**
 * PostgreSQL inside this process, in its own folder; `memory://` stores nothing. It stops if the disk refuses its log,
 * as when the disk is full. It is then opened again and recovers from the log as after a crash, so that nothing
 * acknowledged is lost; until then every statement is refused.
 */
export async function openEmbedded({ dataFolder, template, bare, logger }: OpenDatabaseOptions): Promise<Backend> {
  const folder = dataFolder === 'memory://' ? undefined : await openFolder(dataFolder, bare)
  const names = createStatementNames()
  const turns = createMutex()
  const handlers = new Map<string, Set<Handler>>()
  const closing = new AbortController()
  let reopening: Promise<void> | undefined

  const connect = async (pglite: PGlite) => {
    const { client, failure } = createEmbeddedConnection(pglite, (error) => {
      logger?.error({ err: error }, error.message)
      if (folder && !closing.signal.aborted) reopening ??= reopen(folder)
    })
    await client.connect()
    pglite.onNotification((channel, payload) => {
      for (const { handle } of handlers.get(channel) ?? []) handle(payload)
    })
    return { pglite, client, failure }
  }

  const reopen = async (broken: OpenedFolder): Promise<void> => {
    for (let wait = FIRST_TRY; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      await pause(wait, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      if (closing.signal.aborted) return
      try {
        const next = await connect(await broken.reopen())
        for (const name of handlers.keys()) await next.client.query(`listen ${name}`)
        current = next
        reopening = undefined
        break
      } catch (error) {
        logger?.error({ err: error }, 'The embedded database could not be reopened, retrying')
      }
    }
    logger?.warn({}, 'The embedded database was reopened')
    for (const { missed } of [...handlers.values()].flatMap((handling) => [...handling])) missed()
  }

  let current = await connect(
    folder?.pglite ??
      (await PGlite.create('memory://', { startParams: unsyncedParams, ...(template && { loadDataDir: template }) })),
  )

  const query = <Row>(statement: Statement) =>
    turns.pass(() => {
      const failure = current.failure()
      return failure ? Promise.reject(failure) : runStatement<Row>(names, current.client, statement)
    })

  const tidying = setInterval(() => {
    tidy(query, { logBytes: LOG_BYTES }).catch((error) => {
      if (!closing.signal.aborted) logger?.warn({ err: error }, 'The embedded database could not be vacuumed')
    })
  }, TIDY_EVERY)
  tidying.unref()

  return {
    query,
    reserve: async () => {
      const give = await turns.take()
      const failure = current.failure()
      if (!failure) return reserveClient(names, current.client, give)
      give()
      throw failure
    },
    listen: async (channel, handle, missed) => {
      const name = channelName(channel)
      const handling = handlers.get(name) ?? new Set()
      const handler = { handle, missed }
      handlers.set(name, handling.add(handler))
      await query({ text: `listen ${name}` })
      return async () => {
        handling.delete(handler)
        if (handling.size > 0 || handlers.get(name) !== handling || closing.signal.aborted) return
        handlers.delete(name)
        await query({ text: `unlisten ${name}` })
      }
    },
    pools: () => ({}),
    listening: () => !closing.signal.aborted && !current.failure(),
    snapshot: async ({ holdWrites = false }) => {
      const give = await turns.take()
      const copied = await (folder ? folder.copy(current.pglite) : copyMemory(current.pglite)).catch((error) => {
        give()
        throw error
      })
      if (!holdWrites) give()
      const { client } = createEmbeddedConnection(copied.pglite, () => {})
      await client.connect()
      await client.query('begin')
      return {
        query: <Row>(statement: Statement) => runStatement<Row>(createStatementNames(), client, statement),
        describe: (statement: Statement) => describeResult(client, statement),
        close: async () => {
          if (holdWrites) give()
          await client.end()
          await copied.close()
        },
      }
    },
    close: async () => {
      closing.abort()
      clearInterval(tidying)
      await reopening
      const give = await turns.take()
      // Statements that were sent before come first. Beside one, the client would never end.
      if (!current.failure()) await current.client.query('select').catch(() => {})
      await current.client.end()
      // Waiting statements are rejected by the client.
      give()
      if (!current.failure()) await current.pglite.close()
      await folder?.release()
    },
  }
}

type Query = <Row>(statement: Statement) => Promise<Row[]>

type Options = {
  /** How many bytes of log may lie between two checkpoints. */
  logBytes: number
}

/**
 * Does the work of PostgreSQL's background processes, which a single process lacks. Without it the log grows as long as
 * the server runs, and updated or deleted rows keep their space forever.
 */
export async function tidy(query: Query, { logBytes }: Options): Promise<void> {
  const [log] = await query<{ bytes: number }>({
    text: `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int8 as bytes from pg_control_checkpoint()`,
  })
  if (log && log.bytes > logBytes) await query({ text: 'checkpoint' })

  // The thresholds of PostgreSQL's own autovacuum.
  const tables = await query<{ name: string; vacuum: boolean }>({
    text: `
      select format('%I.%I', s.schemaname, s.relname) as name, s.n_dead_tup > 50 + 0.2 * c.reltuples as vacuum
      from pg_stat_all_tables s join pg_class c on c.oid = s.relid
      where s.schemaname <> 'pg_toast' and c.relpersistence = 'p'
        and (s.n_dead_tup > 50 + 0.2 * c.reltuples or s.n_mod_since_analyze > 50 + 0.1 * c.reltuples)`,
  })
  for (const { name, vacuum } of tables) await query({ text: `${vacuum ? 'vacuum (analyze)' : 'analyze'} ${name}` })
}

type OpenedFolder = {
  pglite: PGlite
  /** Opens the files again, after the database that had them gave itself up: it recovers as after a crash. */
  reopen(): Promise<PGlite>
  /** Another database on a copy of the files, as they are while no statement runs. */
  copy(from: PGlite): Promise<CopiedDatabase>
  release(): Promise<void>
}

type CopiedDatabase = { pglite: PGlite; close(): Promise<void> }

async function copyMemory(from: PGlite): Promise<CopiedDatabase> {
  const loadDataDir = await from.dumpDataDir('none')
  const pglite = await PGlite.create('memory://', { startParams: unsyncedParams, loadDataDir })
  return { pglite, close: () => pglite.close() }
}

/** The database in `<dataFolder>/database`, for this process alone, with every commit on the disk. */
async function openFolder(dataFolder: string, bare = false): Promise<OpenedFolder> {
  const folder = resolve(dataFolder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = await lockFolder(folder)
  try {
    const database = join(folder, 'database')
    await createDatabaseFolder(database, bare)
    let files = createDurableFs(database)
    const start = async () => {
      const pglite = await PGlite.create({ fs: files.fs, startParams })
      // Before the first write: positions of the change log up to here are still good.
      await pglite.exec(
        "select set_config('countersign.opened_at', pg_snapshot_xmax(pg_current_snapshot())::text, false)",
      )
      await checkDurability(pglite, files.syncs)
      return pglite
    }
    const reopen = () => {
      // The one that gave itself up never returns from a call any more, so it cannot close them.
      files.closeAll()
      files = createDurableFs(database)
      return start()
    }
    const copy = async (from: PGlite) => {
      // Nothing is written but by statements, so that what lies on the disk now is whole.
      await from.exec('checkpoint')
      const place = join(folder, 'snapshot')
      const remove = () => rm(place, { recursive: true, force: true })
      // Leftovers of a killed process.
      await remove()
      try {
        await cp(database, place, { recursive: true, mode: constants.COPYFILE_FICLONE })
        const pglite = await PGlite.create({ fs: new NodeFS(place), startParams: unsyncedParams })
        return { pglite, close: () => pglite.close().finally(remove) }
      } catch (error) {
        await remove()
        throw error
      }
    }
    return { pglite: await start(), reopen, copy, release }
  } catch (error) {
    await release()
    throw error
  }
}

/**
 * Fails if a commit would not reach the disk. This depends on internals of PGlite, so an update could break it
 * silently; a server that acknowledges what a power cut loses is worse than one that does not start.
 */
export async function checkDurability(pglite: PGlite, syncs: () => number): Promise<void> {
  for (const [setting, value] of Object.entries(expected)) {
    const { rows } = await pglite.query<{ actual: string }>('select current_setting($1) as actual', [setting])
    if (rows[0]?.actual === value) continue
    throw new Error(`The embedded database is not durable: its setting ${setting} is ${rows[0]?.actual}, not ${value}.`)
  }
  const before = syncs()
  await pglite.exec("select pg_logical_emit_message(true, 'countersign', 'durability probe')")
  if (syncs() > before) return
  throw new Error('The embedded database is not durable: a commit did not reach fsync.')
}

async function sync(path: string) {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Makes the files of a new database beside their place and moves them there once they are on the disk: PGlite
 * copies them one by one, and a process killed half-way would leave a folder that never opens again.
 */
async function createDatabaseFolder(database: string, bare: boolean): Promise<void> {
  if (existsSync(join(database, 'PG_VERSION'))) return
  const unfinished = `${database}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  if (bare || !(await unpackPrepared(unfinished))) {
    const pglite = await PGlite.create({ fs: new NodeFS(unfinished), startParams: unsyncedParams })
    await pglite.close()
  }
  const entries = await readdir(unfinished, { recursive: true })
  // Several at a time share one write of the journal.
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    await Promise.all(entries.slice(start, start + AT_ONCE).map((entry) => sync(join(unfinished, entry))))
  }
  await sync(unfinished)
  await rename(unfinished, database)
  await sync(dirname(database))
}

type Mutex = {
  /** Calls `act` as soon as no transaction is open. */
  pass<Result>(act: () => Promise<Result>): Promise<Result>
  /** Waits until no transaction is open and locks out everyone else; the returned function ends that. */
  take(): Promise<() => void>
}

type Waiting = { exclusive: boolean; start: () => void }

/** The one connection of the embedded database: a transaction has it alone, everyone gets it in the order of asking. */
function createMutex(): Mutex {
  let taken = false
  let waiting: Waiting[] = []

  const give = () => {
    taken = false
    const queue = waiting
    waiting = []
    for (const [position, { exclusive, start }] of queue.entries()) {
      // Started within this call: a statement that went out a moment later could land inside the next transaction.
      start()
      if (!exclusive) continue
      taken = true
      waiting = queue.slice(position + 1)
      return
    }
  }

  return {
    pass: (act) => {
      if (!taken) return act()
      return new Promise((resolve) => {
        waiting.push({ exclusive: false, start: () => resolve(act()) })
      })
    },
    take: () => {
      if (taken) {
        return new Promise((resolve) => {
          waiting.push({ exclusive: true, start: () => resolve(give) })
        })
      }
      taken = true
      return Promise.resolve(give)
    },
  }
}

const QUERY = 'Q'.charCodeAt(0)

const SYNC = 'S'.charCodeAt(0)

const FLUSH = 'H'.charCodeAt(0)

export type EmbeddedConnection = {
  client: Client
  /** Why the database gave itself up, where it has. */
  failure(): DatabaseUnavailable | undefined
}

const findPanic = (messages: object[]) =>
  messages.find((message) => 'severity' in message && (message.severity === 'PANIC' || message.severity === 'FATAL'))

/**
 * A `pg` client on PGlite. Its adapter passes each message of a statement separately (parse, bind, describe, execute,
 * sync); they are collected until the one that needs a response, so that a statement enters the database once.
 */
export function createEmbeddedConnection(
  pglite: PGlite,
  onFailure: (failure: DatabaseUnavailable) => void,
): EmbeddedConnection {
  let held: Uint8Array[] = []
  let failure: DatabaseUnavailable | undefined

  const execProtocolStream: PGlite['execProtocolStream'] = async (message, options) => {
    const type = message[0]
    if (type !== SYNC && type !== QUERY && type !== FLUSH) {
      held.push(message)
      return []
    }
    const whole = held.length === 0 ? message : Buffer.concat([...held, message])
    held = []
    // PGlite never returns from a call into a database that has given itself up.
    if (failure) throw failure
    const messages = await pglite.execProtocolStream(whole, options).catch((error: unknown) => {
      throw fail(error)
    })
    const panic = findPanic(messages)
    if (panic) fail(panic)
    return messages
  }

  const fail = (cause: unknown): DatabaseUnavailable => {
    if (failure) return failure
    failure = new DatabaseUnavailable(
      'The embedded database stopped, most likely because a disk write failed. Acknowledged changes are ' +
        'safe. It is reopened when the disk accepts writes again.',
      { cause },
    )
    onFailure(failure)
    return failure
  }

  const config = createPgConfig({ waitReady: pglite.waitReady, execProtocolStream } as PGlite)
  const client = new Client({ ...config, types: valueTypes, pipeline: true })
  client.on('error', () => {})
  return { client, failure: () => failure }
}
