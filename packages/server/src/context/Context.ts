import type { Logger } from 'pino'
import type { Classes } from '../classes/createClasses.ts'
import type { Clock } from '../clock/Clock.ts'
import type { Config } from '../config/Config.ts'
import type { Database } from '../db/Database.ts'
import type { Mail } from '../mail/createMail.ts'
import type { Ask } from './Ask.ts'
import type { Provider } from './authAdapters.ts'
import type { Background } from './createBackground.ts'
import type { RoleCache } from './createRoleCache.ts'
import type { SessionCache } from './createSessionCache.ts'
import type { Keys } from './loadKeys.ts'
import type { Registry } from './Registry.ts'
import type { RecentLogs } from './recentLogs.ts'

/**
 * What the layers above keep for the life of a server: its chains, connections, caches. Each is made with its first use;
 * the file that makes it declares its field here (`interface Services`), since this layer cannot import theirs.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by the files that declare a field.
export interface Services {}

/** What every handler works with. It lives as long as the server. */
export type Context = {
  config: Config
  keys: Keys
  /** Called in the same turn in which `keys` change: what a key opened is judged again before anything else happens. */
  keyWatchers: Set<() => void>
  /** Set as the server is to stop: it is no longer ready, and closes connections with its answers. */
  isStopping: boolean
  publicUrl: string
  clock: Clock
  db: Database
  log: Logger
  /** What `log` wrote recently. */
  recentLogs: RecentLogs
  classes: Classes
  mail: Mail
  sessionCache: SessionCache
  roleCache: RoleCache
  /** Whether an import left passwords that are hashed in the older way, as far as this server knows. */
  olderHashes: { present: boolean; asked: number }
  /** When exports of accounts that are being written began, by user. */
  exports: Map<string, number>
  background: Background
  /** The providers of the setting `auth`, by the name that clients put into `authData`. */
  authProviders: ReadonlyMap<string, Provider>
  /** The application's own code. Empty until it is loaded. */
  registry: Registry
  /** Requests of the application's own code. The server puts itself in its place. */
  ask: Ask
  services: Services
}
