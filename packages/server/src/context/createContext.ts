import type { Logger } from 'pino'
import { createClasses } from '../classes/createClasses.ts'
import { type Clock, systemClock } from '../clock/Clock.ts'
import type { Config } from '../config/Config.ts'
import type { Database } from '../db/Database.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { createOutbox } from '../mail/createOutbox.ts'
import { createSmtpMail } from '../mail/createSmtpMail.ts'
import type { Context } from './Context.ts'
import { createBackground } from './createBackground.ts'
import { createRegistry } from './createRegistry.ts'
import { createRoleCache } from './createRoleCache.ts'
import { createSessionCache } from './createSessionCache.ts'
import { loadKeyFile, loadKeys } from './loadKeys.ts'

export type ContextOptions = {
  config: Config
  log: Logger
  clock?: Clock
  /** A database that is open already; whoever opened it closes it. */
  db?: Database
}

/** Opens the database, brings it up to date and puts together what handlers work with. */
export async function createContext({ config, log, clock = systemClock, db: given }: ContextOptions): Promise<Context> {
  const db =
    given ?? (await openDatabase({ databaseUrl: config.databaseUrl, dataFolder: config.dataFolder, logger: log }))
  try {
    await migrate(db, migrations, log)
    const keys = db.kind === 'embedded' && !given ? await loadKeyFile(config) : await loadKeys(config, db)
    const classes = await createClasses(db)
    const mail = config.smtp ? await createSmtpMail(config.smtp) : createOutbox({ db, clock })
    const sessionCache = await createSessionCache({ db, clock }, config.sessionCache)
    const roleCache = await createRoleCache({ db, clock })
    const publicUrl = (config.publicUrl ?? `http://localhost:${config.port}`).replace(/\/+$/, '')
    const background = createBackground(log)
    const registry = createRegistry()
    const ask = () => Promise.reject(new Error('the server has not started yet'))
    const caches = { classes, sessionCache, roleCache }
    return { config, keys, publicUrl, clock, db, log, mail, ...caches, background, registry, ask }
  } catch (error) {
    if (!given) await db.close()
    throw error
  }
}

/** Waits for what is under way and closes what `createContext` opened. */
export async function closeContext(context: Context, { db }: ContextOptions): Promise<void> {
  await context.background.settle()
  context.mail.close()
  await context.sessionCache.close()
  await context.roleCache.close()
  await context.classes.close()
  if (!db) await context.db.close()
}
