import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { readAddresses } from '../db/postgres/readAddresses.ts'
import type { RunningServer } from '../http/startServer.ts'
import { createLogger, logOf } from '../log/createLogger.ts'
import { createRecentLogs, type RecentLogs } from '../log/recentLogs.ts'
import type { FirstOperator } from '../users/operators.ts'
import { version } from '../version.ts'
import type { FromWorker, ToWorker } from '../work/WorkerMessage.ts'
import { countWorkers, poolSizeOf } from './countWorkers.ts'
import type { Arguments } from './readArguments.ts'
import { runSupervisor } from './runSupervisor.ts'
import { watchParent } from './watchParent.ts'

/** How long requests under way may take to end. */
const patience = 10_000

/** How long a server that is asked to stop may take to finish its start: a new database on a busy machine. */
const startPatience = 60_000

export async function runStart({ flags, configFile }: Pick<Arguments, 'flags' | 'configFile'>): Promise<void> {
  const config = await readConfig({ flags, configFile })
  if (cluster.isWorker) return runWorker(config)
  const recentLogs = createRecentLogs()
  const log = createLogger(config.logLevel, undefined, recentLogs)
  guardProcess(log, config.cloud)
  const count = countWorkers(config)
  // Before the database: making one takes seconds, and leaves a folder behind.
  await tryPort(config).catch((error) => explainPort(config, error))
  process.stdout.write(announce(config))
  if (count > 1) return runSupervisor({ log, count, drain: drainOf(config), patience })
  const starting = start(config, log, recentLogs)
  stopOnSignals(starting, config, log)
  const server = await starting
  process.stdout.write(await writeBanner(server, config, log))
}

/** One of several processes. It starts and stops as its supervisor says. */
async function runWorker(config: Config): Promise<void> {
  const { COUNTERSIGN_WORKER_NUMBER: number, COUNTERSIGN_WORKER_COUNT: count } = process.env
  const isFirst = Boolean(process.env.COUNTERSIGN_WORKER_FIRST)
  const recentLogs = createRecentLogs()
  const log = createLogger(config.logLevel, undefined, recentLogs).child({ worker: Number(number) })
  guardProcess(log, config.cloud)
  const starting = start(config, log, recentLogs, poolSizeOf(Number(count)))
  const stopOnce = createStop(starting, log)
  let isAsked = false
  // A service manager signals every process, and the supervisor asks, too.
  const stop = (signal: string, drain: number) => {
    if (!isAsked) stopOnce(signal, drain)
    isAsked = true
  }
  // A terminal sends these to every process; the supervisor decides.
  process.on('SIGINT', () => {})
  process.on('SIGHUP', () => {})
  process.on('SIGTERM', () => stop('SIGTERM', drainOf(config)))
  process.on('message', (message: ToWorker) => message.kind === 'stop' && stop('supervisor', message.drain))
  const server = await starting
  const ready: FromWorker = { kind: 'ready', ...(isFirst && { banner: await writeBanner(server, config, log) }) }
  process.send?.(ready)
}

async function writeBanner(server: RunningServer, config: Config, log: Logger): Promise<string> {
  const [{ hasOpenOutbox }, { findFirstOperator }] = await Promise.all([
    import('../http/request/localApp.ts'),
    import('../users/operators.ts'),
  ])
  if (config.production && !config.smtp) {
    log.warn('no SMTP server is set: mails are not sent, so addresses cannot be verified and passwords cannot be reset')
  }
  const first = await findFirstOperator(server.context)
  return banner(server, config, hasOpenOutbox(server.context), first)
}

async function start(config: Config, log: Logger, recentLogs: RecentLogs, poolSize?: number): Promise<RunningServer> {
  // The database is opened while the rest of the program is loaded: much of that is waiting, or work of other threads.
  const opening = openDatabase({ ...placeOf(config), poolSize, logger: logOf(log, config, 'database') })
  opening.catch(() => {})
  const { startServer } = await import('../http/startServer.ts')
  const server = await startServer({ config, log, recentLogs, opening }).catch((error) => explainPort(config, error))
  server.context.services.examine = async () =>
    (await import('../doctor/examine.ts')).examine({ loadConfig: async () => config })
  // A Node.js that was built without the inspector keeps the garbage.
  await collectGarbage().catch(() => {})
  return server
}

/** Returns to the system what the start left on the heap, 30 MB: V8 keeps it for as long as the server is idle. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector')
  const session = new Session()
  session.connect()
  // Disconnecting inside the callback would wait forever for a lock that V8 holds there.
  session.post('HeapProfiler.collectGarbage', () => setImmediate(() => session.disconnect()))
}

function stopOnSignals(starting: Promise<RunningServer>, config: Config, log: Logger): void {
  const stop = createStop(starting, log)
  watchParent(() => stop('the end of npm', drainOf(config)))
  // On a terminal nobody waits for a proxy.
  process.on('SIGINT', () => stop('SIGINT', 0))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal, drainOf(config)))
}

/** Milliseconds for which a stopping server still responds. */
function drainOf({ drainTime, production }: Config): number {
  return 1000 * (drainTime ?? (production ? 5 : 0))
}

/**
 * Stops the server in order and ends the process; called again, at once. Waits for a server that is still starting: it
 * may serve requests already, and holds a lock on the data folder.
 */
function createStop(starting: Promise<RunningServer>, log: Logger): (signal: string, drain: number) => void {
  let stopping = false
  return (signal, drain) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal, drain }, 'stopping')
    const exitAfter = (time: number) => setTimeout(() => process.exit(1), time).unref()
    const timer = exitAfter(startPatience)
    starting
      .then((server) => {
        clearTimeout(timer)
        exitAfter(drain + patience)
        return server.stop(drain)
      })
      .then(
        () => process.exit(0),
        (error) => {
          log.error({ err: error }, 'the server did not stop cleanly')
          process.exit(1)
        },
      )
  }
}

/** Listens for a moment on the port that the server will listen on. */
function tryPort({ port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ port, host }, () => probe.close(() => resolve()))
  })
}

function explainPort({ port, host }: Config, error: NodeJS.ErrnoException): never {
  if (error.code === 'EADDRINUSE') {
    throw new ConfigError(
      `Port ${port} on ${host} is in use. Stop the other program, or use another port: PORT=${port + 1}.`,
    )
  }
  if (error.code === 'EACCES' && error.syscall === 'listen') {
    throw new ConfigError(`No permission to use port ${port}. Use a port above 1023, such as PORT=1337.`)
  }
  if (error.code === 'EADDRNOTAVAIL') {
    throw new ConfigError(
      `This machine has no address ${host}. Set HOST to one of its addresses, or to 0.0.0.0 for all of them.`,
    )
  }
  throw error
}

function announce(config: Config): string {
  const { databaseUrl, dataFolder } = config
  if (databaseUrl) return `Opening ${describeDatabase(config)}\n`
  const folder = resolve(dataFolder)
  if (existsSync(join(folder, 'database', 'PG_VERSION'))) return `Opening the database in ${folder}\n`
  return `Creating a database in ${folder}. This takes a few seconds, only the first time.\n`
}

function banner({ context }: RunningServer, config: Config, hasOutbox: boolean, first: FirstOperator): string {
  const { publicUrl, webUrl, keys } = context
  const lines = [
    ['Web app', webUrl],
    ['API', `${publicUrl}${config.mount}`],
    ['App id', keys.appId],
    ['Data', describeDatabase(config)],
    ['Keys', 'npx countersign keys'],
  ]
  if (hasOutbox) lines.push(['Mail', `captured in the outbox: ${webUrl}/outbox`])
  else if (!config.smtp)
    lines.push(['Mail', 'not sent: no SMTP server is set (COUNTERSIGN_SMTP_URL, COUNTERSIGN_MAIL_FROM)'])
  if (first === 'missing')
    lines.push(['Console', 'has no operator yet: npx countersign admin create --username NAME, or admin grant USER'])
  else if (first) {
    const { url, expiresAt } = first.link
    lines.push(['Console', `open this once before ${expiresAt.slice(0, 16)}Z to become its administrator: ${url}`])
  }
  const rows = lines.map(([name, value]) => `  ${name?.padEnd(9)} ${value}`)
  return `\nCountersign ${version} is ready.\n\n${rows.join('\n')}\n\n`
}

/** Location of the data, without the password. */
function describeDatabase({ databaseUrl, dataFolder }: Config): string {
  if (!databaseUrl) return `${resolve(dataFolder)} (embedded PostgreSQL)`
  const urls = readAddresses(databaseUrl).map((address) => new URL(address))
  return `PostgreSQL at ${urls.map(({ host }) => host).join(', ')}${urls[0]?.pathname}`
}

/**
 * Keeps the server running after uncaught errors of application code: an unawaited promise, or a throw in a timer.
 * Errors of the server itself still end it, since its state is unknown.
 */
function guardProcess(log: Logger, cloud: string): void {
  const folder = resolve(cloud)
  const isOfApplication = (error: unknown) => error instanceof Error && (error.stack ?? '').includes(folder)
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'unhandled promise rejection')
  })
  process.on('uncaughtException', (error) => {
    if (isOfApplication(error)) return log.error({ err: error }, 'uncaught error in application code')
    log.fatal({ err: error }, 'the server failed')
    process.stderr.write(`\n${error instanceof Error ? error.stack : String(error)}\n\n`)
    process.exit(1)
  })
}
