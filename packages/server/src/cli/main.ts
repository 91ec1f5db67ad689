import { ConfigError } from '../config/ConfigError.ts'
import { version } from '../version.ts'
import { readArguments } from './readArguments.ts'
import { usageOf } from './usage.ts'

/** Each loaded when it is called, so that help and mistakes are told at once. */
const commands = new Map([
  ['start', async () => (await import('./runStart.ts')).runStart],
  ['keys', async () => (await import('./runKeys.ts')).runKeys],
  ['schema', async () => (await import('./runSchema.ts')).runSchema],
  ['migrate-react', async () => (await import('./runMigrateReact.ts')).runMigrateReact],
  ['types', async () => (await import('./runTypes.ts')).runTypes],
])

try {
  const given = readArguments(process.argv.slice(2))
  if (given.help) process.stdout.write(usageOf(given.command))
  else if (given.showVersion) process.stdout.write(`${version}\n`)
  else {
    const load = commands.get(given.command)
    if (!load) throw new ConfigError(`There is no command "${given.command}". See countersign --help.`)
    const run = await load()
    await run(given)
  }
} catch (error) {
  // Errors of our own say how to mend; anything else is a fault whose stack is needed.
  const known = error instanceof Error && error.name !== 'Error' && !(error instanceof TypeError)
  process.stderr.write(`\n${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n\n`)
  process.exit(1)
}
