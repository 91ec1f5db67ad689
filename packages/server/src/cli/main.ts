import { ConfigError } from '../config/ConfigError.ts'
import { version } from '../version.ts'
import { readArguments } from './readArguments.ts'
import { runKeys } from './runKeys.ts'
import { runSchema } from './runSchema.ts'
import { runStart } from './runStart.ts'
import { runTypes } from './runTypes.ts'
import { usageOf } from './usage.ts'

const commands = new Map([
  ['start', runStart],
  ['keys', runKeys],
  ['schema', runSchema],
  ['types', runTypes],
])

try {
  const given = readArguments(process.argv.slice(2))
  if (given.help) process.stdout.write(usageOf(given.command))
  else if (given.showVersion) process.stdout.write(`${version}\n`)
  else {
    const run = commands.get(given.command)
    if (!run) throw new ConfigError(`There is no command "${given.command}". See countersign --help.`)
    await run(given)
  }
} catch (error) {
  // Errors of our own say how to mend; anything else is a fault whose stack is needed.
  const known = error instanceof Error && error.name !== 'Error' && !(error instanceof TypeError)
  process.stderr.write(`\n${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n\n`)
  process.exit(1)
}
