import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { z } from 'zod'
import { type Config, configSchema } from './Config.ts'
import { ConfigError } from './ConfigError.ts'
import { importFile } from './importFile.ts'

/** Setting by environment variable: names that operators and tests rely on. */
export const environmentNames = {
  port: 'PORT',
  host: 'HOST',
  databaseUrl: 'DATABASE_URL',
  directDatabaseUrl: 'COUNTERSIGN_DIRECT_DATABASE_URL',
  replicaUrl: 'COUNTERSIGN_REPLICA_URL',
  workers: 'COUNTERSIGN_WORKERS',
  dataFolder: 'COUNTERSIGN_DATA',
  cloud: 'COUNTERSIGN_CLOUD',
  appId: 'COUNTERSIGN_APP_ID',
  masterKey: 'COUNTERSIGN_MASTER_KEY',
  formerMasterKey: 'COUNTERSIGN_FORMER_MASTER_KEY',
  javascriptKey: 'COUNTERSIGN_JAVASCRIPT_KEY',
  mount: 'COUNTERSIGN_MOUNT',
  publicUrl: 'COUNTERSIGN_PUBLIC_URL',
  webUrl: 'COUNTERSIGN_WEB_URL',
  appName: 'COUNTERSIGN_APP_NAME',
  logLevel: 'COUNTERSIGN_LOG_LEVEL',
  sessionCache: 'COUNTERSIGN_SESSION_CACHE',
  overloadDelay: 'COUNTERSIGN_OVERLOAD_DELAY',
} as const

const names = ['countersign.config.ts', 'countersign.config.js', 'countersign.config.json']

export type ConfigSources = {
  /** Settings from the command line; they win over the environment, which wins over the file. */
  flags?: Record<string, unknown>
  environment?: Record<string, string | undefined>
  folder?: string
  configFile?: string | undefined
}

/** Reads and checks the settings, and reports errors with a fix. */
export async function readConfig(sources: ConfigSources = {}): Promise<Config> {
  const environment = sources.environment ?? process.env
  const named = sources.configFile ?? (environment.COUNTERSIGN_CONFIG || undefined)
  const file = await readConfigFile(sources.folder ?? process.cwd(), named)
  const fromEnvironment = readEnvironment(environment)
  const parsed = configSchema.safeParse({ ...file.settings, ...fromEnvironment, ...sources.flags })
  if (parsed.success) {
    requireOneScheme(parsed.data)
    const from = (settings: object, source: Config['sources'][string]) =>
      Object.fromEntries(Object.keys(settings).map((name) => [name, source]))
    return {
      ...withDefaults(parsed.data),
      sources: {
        ...from(file.settings, 'file'),
        ...from(fromEnvironment, 'environment'),
        ...from(sources.flags ?? {}, 'commandLine'),
      },
    }
  }

  const lines = parsed.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((name) => `${name}: unknown setting.${didYouMean(name)}`)
    const setting = String(issue.path[0] ?? '')
    return [`${issue.path.join('.')} ${sourceOf(setting)}: ${issue.message}`]
  })
  throw new ConfigError(
    `Invalid configuration:\n${lines.map((line) => `  - ${line}`).join('\n')}\nSee docs/configuration.md.`,
  )

  function sourceOf(setting: string): string {
    if (sources.flags && setting in sources.flags) return `(from --${setting})`
    if (setting in fromEnvironment)
      return `(from ${environmentNames[setting as keyof typeof environmentNames] ?? 'the environment'})`
    return file.path ? `(from ${file.path})` : ''
  }
}

/** Fills in defaults that are open in development and closed in production. */
function withDefaults(config: z.output<typeof configSchema>): Omit<Config, 'sources'> {
  return {
    ...config,
    host: config.host ?? (config.production ? '0.0.0.0' : '127.0.0.1'),
    allowClientClassCreation: config.allowClientClassCreation ?? !config.production,
    allowClientRoleCreation: config.allowClientRoleCreation ?? !config.production,
    // A node that is asked learns the addresses of users: in production that is the operator's choice.
    usePublicNodes: config.usePublicNodes ?? !config.production,
  }
}

/**
 * Session cookies are `Secure` if `publicUrl` is https: over http the web application would lose them. Browsers accept
 * them on the machine itself.
 */
function requireOneScheme({ publicUrl, webUrl }: z.output<typeof configSchema>): void {
  if (publicUrl === undefined || webUrl === undefined) return
  const [application, web] = [new URL(publicUrl), new URL(webUrl)]
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(web.hostname)
  if (application.protocol === web.protocol || isLocal) return
  throw new ConfigError(
    `publicUrl is ${application.origin} and webUrl ${web.origin}: both must be https, or both http. See docs/configuration.md.`,
  )
}

function didYouMean(name: string): string {
  const known = Object.keys(configSchema.shape)
  const near = known.find((setting) => setting.toLowerCase() === name.toLowerCase() || distance(setting, name) <= 2)
  return near ? ` Did you mean ${near}?` : ''
}

/** How many letters must change to make one word of the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[to.length] as number
}

/** Reads the config file: the one that was named, or the first of the usual names in the folder. */
async function readConfigFile(folder: string, named?: string): Promise<{ path?: string; settings: object }> {
  const path = named ? resolve(folder, named) : names.map((name) => resolve(folder, name)).find((at) => existsSync(at))
  if (!path) return { settings: {} }
  if (!existsSync(path)) throw new ConfigError(`Config file not found: ${path}. Check --config or COUNTERSIGN_CONFIG.`)
  try {
    const settings = path.endsWith('.json') ? JSON.parse(await readFile(path, 'utf8')) : await importFile(path)
    if (settings === null || typeof settings !== 'object' || Array.isArray(settings)) {
      throw new Error('it must export an object: export default defineConfig({ … })')
    }
    return { path, settings }
  } catch (cause) {
    throw new ConfigError(`The config file ${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

type Environment = Record<string, string | undefined>

/** Reads settings from the environment. An empty variable counts as not set. */
function readEnvironment(environment: Environment): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const [setting, name] of Object.entries(environmentNames)) {
    const value = environment[name]
    if (value !== undefined && value !== '') settings[setting] = value
  }
  if (environment.NODE_ENV === 'production') settings.production = true
  if (environment.COUNTERSIGN_TRUST_PROXY) settings.trustProxy = readTrustProxy(environment.COUNTERSIGN_TRUST_PROXY)
  if (environment.COUNTERSIGN_WALLET_ORIGINS) settings.wallet = { origins: environment.COUNTERSIGN_WALLET_ORIGINS }
  const { COUNTERSIGN_METRICS_PORT: metricsPort, COUNTERSIGN_METRICS_TOKEN: token } = environment
  if (metricsPort || token) settings.metrics = { ...(metricsPort && { port: metricsPort }), ...(token && { token }) }
  if (environment.COUNTERSIGN_TRACES_URL) settings.traces = { url: environment.COUNTERSIGN_TRACES_URL }
  if (environment.COUNTERSIGN_DRAIN_TIME) settings.drainTime = Number(environment.COUNTERSIGN_DRAIN_TIME)
  if (environment.COUNTERSIGN_LOG_LEVELS) settings.logLevels = readLevels(environment.COUNTERSIGN_LOG_LEVELS)
  if (environment.COUNTERSIGN_SMTP_URL) {
    settings.smtp = { url: environment.COUNTERSIGN_SMTP_URL, from: environment.COUNTERSIGN_MAIL_FROM ?? '' }
  }
  return settings
}

/** `requests=warn,chain=debug` */
function readLevels(value: string): Record<string, string> {
  const pairs = value.split(',').map((pair) => pair.trim().split('=', 2))
  return Object.fromEntries(pairs.map(([area = '', level = '']) => [area, level]))
}

function readTrustProxy(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') return value === 'true'
  return /^\d+$/.test(value) ? Number(value) : value
}
