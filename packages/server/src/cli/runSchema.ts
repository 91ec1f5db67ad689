import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { WireValue } from '@countersign/protocol'
import { writeSchemaFile } from '../classes/schema/SchemaFile.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { importFile } from '../config/importFile.ts'
import { readConfig } from '../config/readConfig.ts'
import { openSchemas } from './openSchemas.ts'
import type { Arguments } from './readArguments.ts'
import { runPartition } from './runPartition.ts'

const names = ['countersign.schema.ts', 'countersign.schema.js', 'countersign.schema.json']

/** `countersign schema apply`, `countersign schema print`, `countersign schema partition` and `… distribute`. */
export async function runSchema({ words, flags, configFile, options }: Arguments): Promise<void> {
  const [action, file, ...more] = words
  if ((action === 'partition' || action === 'distribute') && more.length === 0) {
    return runPartition(await readConfig({ flags, configFile }), action, file, options.dryRun ?? false)
  }
  if ((action !== 'apply' && action !== 'print') || more.length > 0 || (action === 'print' && file !== undefined)) {
    throw new ConfigError(
      'Usage: countersign schema apply [FILE], countersign schema print, countersign schema partition [CLASS] or ' +
        'countersign schema distribute [CLASS]. See countersign help schema.',
    )
  }
  const config = await readConfig({ flags, configFile })
  const wanted = action === 'apply' ? await readSchemaFile(process.cwd(), file) : undefined
  const schemas = await openSchemas(config, options.server)
  try {
    if (wanted) await apply()
    else await print()
  } finally {
    await schemas.close()
  }

  async function print(): Promise<void> {
    const text = writeSchemaFile(await schemas.list())
    if (options.out === undefined) process.stdout.write(text)
    else await writeFile(options.out, text)
  }

  async function apply(): Promise<void> {
    const { dryRun = false, allowDrops = false } = options
    const { plan, applied } = await schemas.apply(wanted?.classes ?? null, { dryRun, allowDrops })
    if (plan.length === 0) {
      process.stdout.write('The database already matches the schema file.\n')
      return
    }
    process.stdout.write(plan.map(({ text, drops }) => `  ${drops ? '!' : ' '} ${text}\n`).join(''))
    if (applied) process.stdout.write(`\nDone: ${plan.length} step${plan.length === 1 ? '' : 's'}.\n`)
    else if (dryRun) process.stdout.write('\nDry run: no changes applied.\n')
    else {
      throw new ConfigError(
        'No changes applied: steps marked with ! delete data. Add the missing parts to the schema file (run countersign schema print to see them), or pass --allow-drops.',
      )
    }
  }
}

/** Reads the schema file: the one that was named, or the first of the usual names in the folder. */
async function readSchemaFile(folder: string, named?: string): Promise<{ path: string; classes: WireValue }> {
  const paths = (named === undefined ? names : [named]).map((name) => resolve(folder, name))
  const path = paths.find((at) => existsSync(at))
  if (path === undefined) {
    throw new ConfigError(
      `No schema file found at ${paths[0]}. Pass one: countersign schema apply FILE. To create one, run countersign schema print.`,
    )
  }
  try {
    const classes = path.endsWith('.json') ? JSON.parse(await readFile(path, 'utf8')) : await importFile(path)
    if (classes === null || typeof classes !== 'object' || Array.isArray(classes)) {
      throw new Error('it must export an object: export default defineSchema({ … })')
    }
    // As sent over the wire: only JSON belongs in a schema.
    return { path, classes: JSON.parse(JSON.stringify(classes)) }
  } catch (cause) {
    throw new ConfigError(`The schema file ${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}
