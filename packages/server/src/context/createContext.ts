import type { Logger } from 'pino'
import { createRoleCache } from '../caches/createRoleCache.ts'
import { createSessionCache } from '../caches/createSessionCache.ts'
import { createClasses } from '../classes/createClasses.ts'
import { listOlderClasses } from '../classes/olderClasses.ts'
import { recordLayouts } from '../classes/partitions/Layout.ts'
import { refuseDistributed } from '../classes/partitions/refuseDistributed.ts'
import { type Clock, systemClock } from '../clock/Clock.ts'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import type { Database } from '../db/Database.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'
import type { Replicas } from '../db/postgres/createReplicas.ts'
import { type WatchStatement, watchStatements } from '../db/watchStatements.ts'
import { loadKeyFile, loadKeys } from '../keys/loadKeys.ts'
import { createLeases } from '../limits/createLeases.ts'
import { createLimits } from '../limits/createLimits.ts'
import { logOf } from '../log/createLogger.ts'
import { createRecentLogs, type RecentLogs } from '../log/recentLogs.ts'
import { createMail } from '../mail/createMail.ts'
import { loadAuthAdapters } from '../providers/authAdapters.ts'
import { applyStored } from '../settings/storedSettings.ts'
import { createBackground } from '../work/createBackground.ts'
import type { Context } from './Context.ts'
import { createRegistry } from './Registry.ts'

export type ContextOptions = {
  config: Config
  log: Logger
  /** Storage for log lines; nothing is kept if absent. */
  recentLogs?: RecentLogs
  clock?: Clock
  /** A database that is open already; the code that opened it closes it. */
  db?: Database
  /** A database that is being opened; it is closed with the context. */
  opening?: Promise<Database>
  /** Called with each statement; the returned function is called at its end. */
  watchStatement?: WatchStatement | undefined
}

/** Opens the database, brings it up to date and puts together what handlers work with. */
export async function createContext({
  config,
  log,
  recentLogs = createRecentLogs(),
  clock = systemClock,
  db: given,
  opening,
  watchStatement,
}: ContextOptions): Promise<Context> {
  const authProviders = await loadAuthAdapters(config).catch(async (error) => {
    await (await opening)?.close()
    throw error
  })
  const opened =
    given ?? (await (opening ?? openDatabase({ ...placeOf(config), logger: logOf(log, config, 'database') })))
  const db = watchStatement ? watchStatements(opened, watchStatement) : opened
  try {
    await bringUpToDate(db, config, log)
    await recordLayouts(db, config)
    await refuseDistributed(db)
    const keys = db.kind === 'embedded' && !given ? await loadKeyFile(config) : await loadKeys(config, db)
    const classes = await createClasses(db, listOlderClasses(config))
    await applyStored({ db, keys, log, config })
    const mail = createMail({ db, clock, log, config })
    const sessionCache = await createSessionCache({ db, clock }, config.sessionCache)
    const roleCache = await createRoleCache({ db, clock })
    const publicUrl = (config.publicUrl ?? `http://localhost:${config.port}`).replace(/\/+$/, '')
    const background = createBackground(log)
    const leases = db.kind === 'postgres' ? createLeases({ db, clock, log }) : undefined
    const limits = createLimits({ clock, leases })
    const registry = createRegistry()
    const ask = () => Promise.reject(new Error('the server has not started yet'))
    const caches = { classes, sessionCache, roleCache, olderHashes: { present: false, asked: 0 } }
    return {
      config,
      keys,
      keyWatchers: new Set(),
      publicUrl,
      webUrl: config.webUrl ?? publicUrl,
      clock,
      db,
      replicas: await openReplicas(db, config, log),
      log,
      recentLogs,
      mail,
      ...caches,
      authProviders,
      exports: new Map(),
      background,
      limits,
      registry,
      ask,
      services: {},
      isStopping: false,
    }
  } catch (error) {
    if (!given) await db.close()
    throw error
  }
}

/** Opens the read replicas. One that does not respond delays nothing: the primary has all the data. */
async function openReplicas(db: Database, config: Config, log: Logger): Promise<Replicas | undefined> {
  const { replicaUrl } = config
  if (replicaUrl === undefined) return undefined
  if (db.kind !== 'postgres') {
    throw new ConfigError('replicaUrl: the embedded database has no replicas. Set databaseUrl, or remove replicaUrl.')
  }
  const { createReplicas } = await import('../db/postgres/createReplicas.ts')
  return createReplicas({ db, replicaUrl, logger: logOf(log, config, 'database') })
}

/** Runs the migrations, past a pooler in transaction mode: it may cut a transaction that takes long. */
async function bringUpToDate(db: Database, config: Config, log: Logger): Promise<void> {
  const { directDatabaseUrl, dataFolder } = config
  if (db.kind !== 'postgres' || directDatabaseUrl === undefined) return migrate(db, migrations, log)
  const logger = logOf(log, config, 'database')
  const direct = await openDatabase({ databaseUrl: directDatabaseUrl, dataFolder, poolSize: 1, logger })
  try {
    await migrate(direct, migrations, log)
  } finally {
    await direct.close()
  }
}

/** Waits for what is under way and closes what `createContext` opened. */
export async function closeContext(context: Context, { db }: ContextOptions): Promise<void> {
  await context.background.settle()
  await context.limits.stop()
  await context.replicas?.close()
  context.mail.close()
  await context.sessionCache.close()
  await context.roleCache.close()
  await context.classes.close()
  if (!db) await context.db.close()
}
