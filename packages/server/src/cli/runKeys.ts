import type { Config } from '../config/Config.ts'
import { readConfig } from '../config/readConfig.ts'
import { type Keys, loadKeyFile, loadKeys } from '../context/loadKeys.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { openDatabase } from '../db/openDatabase.ts'
import type { Arguments } from './readArguments.ts'

/** Shows the application id and the keys; makes them where there are none yet. Works beside a running server. */
export async function runKeys({ flags, configFile }: Pick<Arguments, 'flags' | 'configFile'>): Promise<void> {
  const config = await readConfig({ flags, configFile })
  const keys = config.databaseUrl ? await keysOfDatabase(config) : await loadKeyFile(config)
  const rows = [
    ['Application id', keys.appId],
    ['Master key', `${keys.masterKey}   (may do everything: keep it on your servers)`],
    [
      'JavaScript key',
      `${keys.javascriptKey}${config.javascriptKey ? '   (clients must send it)' : '   (optional for clients)'}`,
    ],
  ]
  process.stdout.write(`${rows.map(([name, value]) => `${name?.padEnd(15)} ${value}`).join('\n')}\n`)
}

async function keysOfDatabase(config: Config): Promise<Keys> {
  const db = await openDatabase({ databaseUrl: config.databaseUrl, dataFolder: config.dataFolder })
  try {
    await migrate(db, migrations)
    return await loadKeys(config, db)
  } finally {
    await db.close()
  }
}
