import { writeFile } from 'node:fs/promises'
import { writeSchemaFile } from '../classes/schema/writeSchemaFile.ts'
import { ConfigError } from '../config/ConfigError.ts'
import { readConfig } from '../config/readConfig.ts'
import { openSchemas } from './openSchemas.ts'
import type { Arguments } from './readArguments.ts'
import { readSchemaFile } from './readSchemaFile.ts'

/** `countersign schema apply` and `countersign schema print`. */
export async function runSchema({ words, flags, configFile, options }: Arguments): Promise<void> {
  const [action, file, ...more] = words
  if ((action !== 'apply' && action !== 'print') || more.length > 0 || (action === 'print' && file !== undefined)) {
    throw new ConfigError('Say what to do: countersign schema apply [FILE], or countersign schema print.')
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
      process.stdout.write('The classes are what the schema file says. Nothing to do.\n')
      return
    }
    process.stdout.write(plan.map(({ text, drops }) => `  ${drops ? '!' : ' '} ${text}\n`).join(''))
    if (applied) process.stdout.write(`\nDone: ${plan.length} step${plan.length === 1 ? '' : 's'}.\n`)
    else if (dryRun) process.stdout.write('\nNothing was done: this is a dry run.\n')
    else {
      throw new ConfigError(
        'Nothing was done: the steps marked with ! lose data. Add what is missing to the schema file (countersign schema print shows it), or allow them: --allow-drops.',
      )
    }
  }
}
