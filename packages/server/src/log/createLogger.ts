import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config, LogArea } from '../config/Config.ts'
import type { RecentLogs } from './recentLogs.ts'

/** Names that hold secrets, wherever they turn up in something that is logged. */
const secrets = [
  'password',
  'currentPassword',
  'newPassword',
  'sessionToken',
  'token',
  'masterKey',
  'javascriptKey',
  'signature',
  'authData',
  'databaseUrl',
  'directDatabaseUrl',
  'replicaUrl',
  'authorization',
  'cookie',
  '_SessionToken',
  '_MasterKey',
  '["set-cookie"]',
  '["x-parse-session-token"]',
  '["x-parse-master-key"]',
]

/**
 * Structured logs, one JSON object a line. Bodies and headers are never logged; should one slip in, its secrets are cut.
 * What is written is kept in `recent` for a while, too, for operators to read.
 */
export function createLogger(level: string, destination?: DestinationStream, recent?: RecentLogs): Logger {
  const paths = secrets.flatMap((name) => {
    const dotted = name.startsWith('[') ? name : `.${name}`
    return [name, `*${dotted}`, `*.*${dotted}`]
  })
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths, censor: '[redacted]' } },
    recent ? keepIn(recent, destination ?? pino.destination({ fd: 1, sync: true })) : destination,
  )
}

function keepIn(recent: RecentLogs, destination: DestinationStream & { flushSync?(): void }): DestinationStream {
  return {
    write(line) {
      recent.keep(line)
      destination.write(line)
    },
    ...(destination.flushSync && { flushSync: () => destination.flushSync?.() }),
  }
}

/** The logger of a part of the server, with the level that the setting `logLevels` gives it. */
export function logOf(log: Logger, { logLevels }: Pick<Config, 'logLevels'>, area: LogArea): Logger {
  return log.child({ area }, { level: logLevels[area] ?? log.level })
}
