import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config/Config.ts'
import type { Database } from '../db/Database.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'

/** Opens the database if it exists and responds. An embedded one that a server uses cannot be opened a second time. */
export async function openExisting(config: Config): Promise<Database | undefined> {
  const dataFolder = resolve(config.dataFolder)
  if (!config.databaseUrl && !existsSync(join(dataFolder, 'database', 'PG_VERSION'))) return undefined
  return openDatabase({ ...placeOf({ ...config, dataFolder }), patience: 0 }).catch(() => undefined)
}
