import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigError } from '../config/ConfigError.ts'
import { migrateFolder } from './migrateReact/migrateFolder.ts'
import { requireCleanTree } from './migrateReact/requireCleanTree.ts'
import { writeSummary } from './migrateReact/writeSummary.ts'
import type { Arguments } from './readArguments.ts'

/** `countersign migrate-react`: moves an application from react-moralis to @countersign/react/moralis. */
export async function runMigrateReact({ words, options }: Arguments): Promise<void> {
  const [name = '.', ...more] = words
  if (more.length > 0)
    throw new ConfigError('countersign migrate-react takes one folder. See countersign migrate-react --help.')
  const folder = resolve(name)
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw new ConfigError(`There is no folder ${folder}.`)
  const { dryRun = false, force = false } = options
  if (!dryRun && !force) await requireCleanTree(folder)
  process.stdout.write(writeSummary(await migrateFolder(folder, { dryRun }), { dryRun }))
}
