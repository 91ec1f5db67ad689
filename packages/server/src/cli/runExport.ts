import { resolve } from 'node:path'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { placeOf } from '../db/OpenDatabaseOptions.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { exportData } from '../transfer/exportData.ts'
import type { Arguments } from './readArguments.ts'

/** `countersign export DIR`: the classes as JSON, in the form that `import parse-export` reads. */
export async function runExport({ words, flags, configFile, options }: Arguments): Promise<void> {
  const [folder, ...more] = words
  if (folder === undefined || more.length > 0) throw new ConfigError('Pass a folder: countersign export DIR.')
  const config = await readConfig({ flags, configFile })
  const db = await openDatabase(placeOf(config))
  try {
    await migrate(db, migrations)
    const classes = options.class?.split(',').map((name) => name.trim())
    const report = await exportData({ db, config, folder: resolve(folder), classes, files: classes === undefined })
    for (const { name, count } of report.units) process.stdout.write(`${name}: ${count}\n`)
    process.stdout.write(`${report.files} files.\n`)
  } finally {
    await db.close()
  }
}
