import { resolve } from 'node:path'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import { createLogger } from '../context/createLogger.ts'
import { type RunningServer, startServer } from '../http/startServer.ts'
import { version } from '../version.ts'
import { guardProcess } from './guardProcess.ts'
import type { Arguments } from './readArguments.ts'

/** How long requests under way may take to end. */
const patience = 10_000

export async function runStart({ flags, configFile }: Pick<Arguments, 'flags' | 'configFile'>): Promise<void> {
  const config = await readConfig({ flags, configFile })
  const log = createLogger(config.logLevel)
  guardProcess(log, config.cloud)
  const server = await startServer({ config, log }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') {
      throw new ConfigError(
        `Port ${config.port} on ${config.host} is in use. Stop the other program, or choose another: PORT=${config.port + 1}.`,
      )
    }
    if (error.code === 'EACCES' && error.syscall === 'listen') {
      throw new ConfigError(
        `Port ${config.port} needs more rights than this user has. Choose one above 1023: PORT=1337.`,
      )
    }
    throw error
  })
  process.stdout.write(banner(server, config))

  let stopping = false
  const stop = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), patience).unref()
    server.stop().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, 'the server did not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('SIGTERM', () => stop('SIGTERM'))
}

function banner({ context }: RunningServer, config: Config): string {
  const { publicUrl, keys } = context
  const lines = [
    ['Web app', publicUrl],
    ['API', `${publicUrl}${config.mount}`],
    ['App id', keys.appId],
    ['Data', describeDatabase(config)],
    ['Keys', 'npx countersign keys'],
  ]
  if (!config.smtp) lines.push(['Mail', `kept in the outbox: ${publicUrl}/outbox`])
  const rows = lines.map(([name, value]) => `  ${name?.padEnd(9)} ${value}`)
  return `\nCountersign ${version} is ready.\n\n${rows.join('\n')}\n\n`
}

/** Where the data lies, without the password. */
function describeDatabase({ databaseUrl, dataFolder }: Config): string {
  if (!databaseUrl) return `${resolve(dataFolder)} (embedded PostgreSQL)`
  const url = new URL(databaseUrl)
  return `PostgreSQL at ${url.host}${url.pathname}`
}
