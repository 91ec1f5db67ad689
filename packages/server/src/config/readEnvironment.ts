type Environment = Record<string, string | undefined>

/** Setting by environment variable: names that operators and tests rely on. */
export const environmentNames = {
  port: 'PORT',
  host: 'HOST',
  databaseUrl: 'DATABASE_URL',
  dataFolder: 'COUNTERSIGN_DATA',
  cloud: 'COUNTERSIGN_CLOUD',
  appId: 'COUNTERSIGN_APP_ID',
  masterKey: 'COUNTERSIGN_MASTER_KEY',
  javascriptKey: 'COUNTERSIGN_JAVASCRIPT_KEY',
  mount: 'COUNTERSIGN_MOUNT',
  publicUrl: 'COUNTERSIGN_PUBLIC_URL',
  appName: 'COUNTERSIGN_APP_NAME',
  logLevel: 'COUNTERSIGN_LOG_LEVEL',
  sessionCache: 'COUNTERSIGN_SESSION_CACHE',
} as const

/** Reads the settings that stand in the environment. An empty variable counts as not set. */
export function readEnvironment(environment: Environment): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const [setting, name] of Object.entries(environmentNames)) {
    const value = environment[name]
    if (value !== undefined && value !== '') settings[setting] = value
  }
  if (environment.NODE_ENV === 'production') settings.production = true
  if (environment.COUNTERSIGN_TRUST_PROXY) settings.trustProxy = readTrustProxy(environment.COUNTERSIGN_TRUST_PROXY)
  if (environment.COUNTERSIGN_WALLET_ORIGINS) settings.wallet = { origins: environment.COUNTERSIGN_WALLET_ORIGINS }
  if (environment.COUNTERSIGN_SMTP_URL) {
    settings.smtp = { url: environment.COUNTERSIGN_SMTP_URL, from: environment.COUNTERSIGN_MAIL_FROM ?? '' }
  }
  return settings
}

function readTrustProxy(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') return value === 'true'
  return /^\d+$/.test(value) ? Number(value) : value
}
