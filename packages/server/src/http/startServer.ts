import { rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { startAudit } from '../audit/startAudit.ts'
import { startFailedSignIns, sweepFailedSignIns } from '../auth/failedSignIns.ts'
import { startBackups } from '../backup/startBackups.ts'
import { startIndexer } from '../chain/index/startIndexer.ts'
import { getChains } from '../chain/nodes/getChains.ts'
import { startSent } from '../chain/sent/startSent.ts'
import { startGates } from '../chain/tokenGates/startTokenGates.ts'
import { reportLayouts, tendParts } from '../classes/partitions/tendParts.ts'
import type { Config, LogArea } from '../config/Config.ts'
import { portFile } from '../config/portFile.ts'
import { startFigures } from '../console/figures.ts'
import { watchLifted } from '../console/signInLimits.ts'
import type { Context } from '../context/Context.ts'
import { type ContextOptions, closeContext, createContext } from '../context/createContext.ts'
import { databaseTime } from '../db/databaseTime.ts'
import { sql } from '../db/sql.ts'
import type { WatchStatement } from '../db/watchStatements.ts'
import { sweepFiles } from '../files/StoredFile.ts'
import { startCloud } from '../functions/startCloud.ts'
import { sweepJobs } from '../jobs/runs.ts'
import { startRunner } from '../jobs/startRunner.ts'
import { watchKeys } from '../keys/loadKeys.ts'
import type { Live } from '../live/Live.ts'
import { startLive } from '../live/startLive.ts'
import { logOf } from '../log/createLogger.ts'
import { sweepMailLog } from '../mail/mailLog.ts'
import type { Metrics } from '../metrics/createMetrics.ts'
import { sweepOidc } from '../oidc/grants.ts'
import { startSignOuts } from '../oidc/startSignOuts.ts'
import { watchSettings } from '../settings/storedSettings.ts'
import { removeDueAccounts } from '../users/accountDeletion.ts'
import { sweepDeliveries } from '../webhooks/deliveries.ts'
import { startRemoteCode } from '../webhooks/parseCompat/startRemoteCode.ts'
import { startWebhookDelivery } from '../webhooks/startDelivery.ts'
import { createServer } from './createServer.ts'
import { shareLogs } from './dashboard.ts'
import { openMetricsPort } from './openMetricsPort.ts'
import { registerSockets } from './registerSockets.ts'

const hour = 3_600_000

export type RunningServer = {
  app: FastifyInstance
  context: Context
  live: Live
  port: number
  /**
   * Stops accepting requests, finishes pending ones, and closes the database. For `drain` milliseconds before that it
   * is not ready but still responds, so that proxies send new requests elsewhere.
   */
  stop(drain?: number): Promise<void>
}

/** Starts the server: database, migrations, HTTP. */
export async function startServer(options: ContextOptions): Promise<RunningServer> {
  const metrics = options.config.metrics && (await import('../metrics/createMetrics.ts')).createMetrics()
  const { traces: tracing } = options.config
  const traces = tracing && (await (await import('../metrics/createTraces.ts')).createTraces(tracing))
  const watches = [...(metrics ? [timeStatements(metrics)] : []), ...(traces ? [traces.watchStatement] : [])]
  const context = await createContext({
    ...options,
    ...(watches.length > 0 && { watchStatement: joinWatches(watches) }),
  })
  let endLive = async () => {}
  let endIndexer = async () => {}
  let endMetrics = async () => {}
  /** Ends of the parts that requests need until the last one is over: the latest part ends first. */
  const ends: (() => Promise<void>)[] = []
  const endParts = async () => {
    for (const end of ends.reverse()) await end()
  }
  try {
    const endRemoteCode = await startRemoteCode(context)
    // Keys of an embedded database are in a file that changes only while no server runs.
    if (options.db || context.db.kind === 'postgres') ends.push(await watchKeys(context))
    ends.push(await watchSettings(context))
    ends.push(await watchLifted(context))
    const audit = await startAudit(inArea(context, 'audit'))
    ends.push(audit.stop)
    const figures = startFigures(context)
    ends.push(figures.stop)
    ends.push(startFailedSignIns(context).stop)
    const endLogs = shareLogs(context)
    const app = await createServer(context, audit, metrics)
    traces?.watchRequests(app)
    const live = await startLive(inArea(context, 'live'))
    endLive = live.stop
    metrics?.watch(context, live.stats)
    figures.watchSockets(() => live.stats.sockets)
    registerSockets(app, context, live)
    // After the handlers: code may read and write while it is loaded.
    const onChain = inArea(context, 'chain')
    ends.push(await startCloud(inArea(context, 'functions')))
    endIndexer = (await startIndexer(onChain, getChains(onChain))).stop
    if (metrics) endMetrics = await openMetricsPort(context.config, metrics)
    await app.listen({ port: context.config.port, host: context.config.host })
    const { port } = app.server.address() as AddressInfo
    const forgetPort = await notePort(context.config, port)
    if (!context.config.publicUrl) context.publicUrl = `http://localhost:${port}`
    context.webUrl = context.config.webUrl ?? context.publicUrl
    const endSweep = sweep(context)
    const { partition, distribute } = context.config
    if (Object.keys({ ...partition, ...distribute }).length > 0) {
      context.background.run('parts', async () => {
        await reportLayouts(context)
        await tendParts({ ...context, now: context.clock.now })
      })
    }
    const backups = startBackups(inArea(context, 'backup'))
    const runner = await startRunner(inArea(context, 'jobs'))
    const courier = await startWebhookDelivery(inArea(context, 'webhooks'))
    const gates = await startGates(onChain, getChains(onChain))
    const sent = await startSent(onChain, getChains(onChain))
    const endSignOuts = await startSignOuts(context)
    const stop = async (drain = 0) => {
      context.isStopping = true
      if (drain > 0) await pause(drain)
      endSweep()
      endLogs()
      await endMetrics()
      metrics?.close()
      context.services.fetcher?.stop()
      // A connection in use when the stop began is kept alive after its response; it must not delay the stop. In the next
      // turn, after requests that have arrived are read: closing a connection with one in its buffer would fail it.
      const letGo = setInterval(() => setImmediate(() => app.server.closeIdleConnections()), 20)
      await turn()
      await Promise.all([
        live.stop(),
        backups.stop(),
        runner.stop(),
        courier.stop(),
        gates.stop(),
        sent.stop(),
        endSignOuts(),
        endIndexer(),
        app.close(),
      ]).finally(() => clearInterval(letGo))
      await endRemoteCode()
      await endParts()
      await traces?.close()
      await forgetPort()
      await closeContext(context, options)
    }
    return { app, context, live, port, stop }
  } catch (error) {
    await endMetrics()
    await endLive()
    await endIndexer()
    await endParts()
    await closeContext(context, options)
    throw error
  }
}

function joinWatches(watches: WatchStatement[]): WatchStatement {
  const [first, second] = watches
  if (!first || !second) return first ?? (() => () => {})
  return (statement) => {
    const [endFirst, endSecond] = [first(statement), second(statement)]
    return (failed) => {
      endFirst(failed)
      endSecond(failed)
    }
  }
}

function timeStatements({ observeStatement }: Metrics): WatchStatement {
  return () => {
    const began = performance.now()
    return (failed) => observeStatement(performance.now() - began, failed)
  }
}

/**
 * Clears away what has expired, now and then. Several servers may do so at once. The clock of the database decides: a
 * server whose own clock is ahead would delete what is still valid.
 */
function sweep(given: Context): () => void {
  const { db, background } = given
  const timer = setInterval(() => {
    background.run('sweep', async () => {
      const [read] = await db.query<{ now: Date }>(sql`select ${databaseTime(given.clock)} as now`)
      const { now } = read as { now: Date }
      const context: Context = { ...given, clock: { now: () => now, ms: () => now.getTime() } }
      await db.query(sql`delete from "_Session" where "expiresAt" < ${now}`)
      db.reportChange('_Session')
      await db.query(sql`delete from countersign.tokens where expires < ${now}`)
      await db.query(sql`delete from countersign.email_changes where expires < ${now}`)
      await db.query(sql`delete from countersign.added_methods where expires < ${now}`)
      await db.query(sql`delete from countersign.removed_factors where expires < ${now}`)
      await db.query(sql`delete from countersign.replaced_passwords where expires < ${now}`)
      await db.query(sql`delete from countersign.merge_links where expires < ${now}`)
      await db.query(sql`delete from countersign.reserved_names where expires < ${now}`)
      await db.query(sql`delete from countersign.requests where expires < ${now}`)
      await db.query(sql`delete from countersign.challenges where expires < ${now}`)
      await db.query(sql`delete from countersign.email_codes where expires < ${now}`)
      await db.query(
        sql`delete from countersign.email_code_counts where since < ${new Date(now.getTime() - 25 * hour)}`,
      )
      await db.query(sql`delete from countersign.operator_links where expires < ${now}`)
      await db.query(sql`delete from countersign.remembered_devices where expires < ${now}`)
      await db.query(sql`delete from countersign.unlinked_wallets where expires < ${now}`)
      await db.query(sql`delete from countersign.unlinked_identities where expires < ${now}`)
      await db.query(sql`delete from countersign.removed_passkeys where expires < ${now}`)
      await db.query(sql`delete from countersign.merges where merged is null and expires < ${now}`)
      await db.query(sql`
        delete from countersign.merge_changes c using countersign.merges m
        where m."objectId" = c.merge and m.undo_until < ${now}`)
      await db.query(sql`
        delete from countersign.merged_wallets w using countersign.merges m
        where m."objectId" = w.merge and m.undo_until < ${now}`)
      await db.query(sql`update countersign.merges set undo = null where undo is not null and undo_until < ${now}`)
      await db.query(sql`delete from countersign.login_failures where last < ${new Date(now.getTime() - 24 * hour)}`)
      await sweepMailLog(db, now, context.config.mailLogDays)
      await sweepFailedSignIns(db, now, context.config.signInLogDays)
      await sweepOidc(db, now)
      await removeDueAccounts(context)
      await sweepFiles(context)
      await sweepJobs(context)
      await sweepDeliveries(context)
      await tendParts({ ...context, now: () => now })
    })
  }, hour)
  timer.unref()
  return () => clearInterval(timer)
}

/** Notes the port in the data folder, where commands such as `countersign schema apply` find the running server. */
async function notePort({ databaseUrl, dataFolder }: Config, port: number): Promise<() => Promise<void>> {
  if (databaseUrl || dataFolder.startsWith('memory://')) return async () => undefined
  const file = join(dataFolder, portFile)
  // A folder that cannot be written to is no reason to stop: the commands then use the configured port.
  await writeFile(file, String(port)).catch(() => undefined)
  return () => rm(file, { force: true })
}

/** The same context for a part of the server, which logs at a level of its own. */
function inArea(context: Context, area: LogArea): Context {
  // Not a copy: some of its fields are set while the server starts.
  return Object.create(context, {
    log: { value: logOf(context.log, context.config, area), enumerable: true },
  }) as Context
}
