import { type DestinationStream, type Logger, pino } from 'pino'

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
  'authorization',
  'cookie',
  '_SessionToken',
  '_MasterKey',
  '["set-cookie"]',
  '["x-parse-session-token"]',
  '["x-parse-master-key"]',
]

/** Structured logs, one JSON object a line. Bodies and headers are never logged; should one slip in, its secrets are cut. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const paths = secrets.flatMap((name) => {
    const dotted = name.startsWith('[') ? name : `.${name}`
    return [name, `*${dotted}`, `*.*${dotted}`]
  })
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths, censor: '[redacted]' } },
    destination,
  )
}
