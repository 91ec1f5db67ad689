import type { Logger } from 'pino'
import type { RoleCache } from '../caches/createRoleCache.ts'
import type { SessionCache } from '../caches/createSessionCache.ts'
import type { Classes } from '../classes/createClasses.ts'
import type { Clock } from '../clock/Clock.ts'
import type { Config } from '../config/Config.ts'
import type { Database } from '../db/Database.ts'
import type { Replicas } from '../db/postgres/createReplicas.ts'
import type { Keys } from '../keys/loadKeys.ts'
import type { Limits } from '../limits/createLimits.ts'
import type { RecentLogs } from '../log/recentLogs.ts'
import type { Mail } from '../mail/Mail.ts'
import type { Provider } from '../providers/authAdapters.ts'
import type { Background } from '../work/createBackground.ts'
import type { Registry } from './Registry.ts'

/**
 * Services of the layers above for the lifetime of a server: chains, connections, caches. Each is created on first use.
 * The file that creates it declares its field here (`interface Services`), because this layer cannot import theirs.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by the files that declare a field.
export interface Services {}

/** Dependencies of every handler, for the lifetime of the server. */
export type Context = {
  config: Config
  keys: Keys
  /** Called in the same turn in which `keys` change: what a key opened is judged again before anything else happens. */
  keyWatchers: Set<() => void>
  /** Set when the server stops: it is no longer ready, and closes connections after its responses. */
  isStopping: boolean
  /** Address of the application: pages, API and files. */
  publicUrl: string
  /** Address of the web application. From the configuration alone: a Host header must not reach a mail. */
  webUrl: string
  clock: Clock
  db: Database
  /** Read replicas; absent if none are configured. */
  replicas: Replicas | undefined
  log: Logger
  /** Recent log lines. */
  recentLogs: RecentLogs
  classes: Classes
  mail: Mail
  sessionCache: SessionCache
  roleCache: RoleCache
  /** True if an import may have left passwords with a legacy hash. */
  olderHashes: { present: boolean; asked: number }
  /** When exports of accounts that are being written began, by user. */
  exports: Map<string, number>
  background: Background
  /** Rate limits, shared with other processes on the same database. */
  limits: Limits
  /** The providers of the setting `auth`, by the name that clients put into `authData`. */
  authProviders: ReadonlyMap<string, Provider>
  /** The application's own code. Empty until it is loaded. */
  registry: Registry
  /** Requests of the application's own code. The server puts itself in its place. */
  ask: Ask
  services: Services
}

/** Origins of our own pages: the application's and the web application's. Never of a request header. */
export function listOwnOrigins({ publicUrl, webUrl }: Pick<Context, 'publicUrl' | 'webUrl'>): URL[] {
  return [new URL(publicUrl), new URL(webUrl)]
}

/** A request that code of the application makes in this process, with the identity in the body as its client writes it. */
export type AskRequest = {
  method: string
  /** Under the mount, with a query string where there is one. */
  path: string
  /** JSON, as it would be sent. */
  body: string
}

/** Carried out by the same handlers as a request from outside, without HTTP; joins the transaction that it is made in. */
export type Ask = (request: AskRequest) => Promise<Asked>

type Asked =
  | { status: number; output: unknown; headers: Record<string, string> }
  | { error: { code: number; error: string } }
