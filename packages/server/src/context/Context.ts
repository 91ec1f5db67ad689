import type { Logger } from 'pino'
import type { Classes } from '../classes/createClasses.ts'
import type { Clock } from '../clock/Clock.ts'
import type { Config } from '../config/Config.ts'
import type { Database } from '../db/Database.ts'
import type { Mail } from '../mail/Mail.ts'
import type { Ask } from './Ask.ts'
import type { Background } from './createBackground.ts'
import type { RoleCache } from './createRoleCache.ts'
import type { SessionCache } from './createSessionCache.ts'
import type { Keys } from './loadKeys.ts'
import type { Registry } from './Registry.ts'

/** What every handler works with. It lives as long as the server. */
export type Context = {
  config: Config
  keys: Keys
  publicUrl: string
  clock: Clock
  db: Database
  log: Logger
  classes: Classes
  mail: Mail
  sessionCache: SessionCache
  roleCache: RoleCache
  background: Background
  /** The application's own code. Empty until it is loaded. */
  registry: Registry
  /** Requests of the application's own code. The server puts itself in its place. */
  ask: Ask
}
