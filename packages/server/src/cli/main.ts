import { ConfigError } from '../config/ConfigError.ts'
import { version } from '../version.ts'
import { type Arguments, readArguments } from './readArguments.ts'
import { usageOf } from './usages.ts'

/** Loaded on demand, so that help and wrong arguments are fast. */
const commands = new Map([
  ['start', async () => (await import('./runStart.ts')).runStart],
  ['keys', async () => (await import('./runKeys.ts')).runKeys],
  ['doctor', async () => (await import('./runDoctor.ts')).runDoctor],
  ['admin', async () => (await import('./runAdmin.ts')).runAdmin],
  ['access', async () => (await import('./runAccess.ts')).runAccess],
  ['service', async () => (await import('./runService.ts')).runService],
  ['client', async () => (await import('./runClient.ts')).runClient],
  ['attack', async () => (await import('./runAttack.ts')).runAttackCommand],
  ['audit', async () => (await import('./runAudit.ts')).runAudit],
  ['schema', async () => (await import('./runSchema.ts')).runSchema],
  ['migrate-react', async () => (await import('./runMigrateReact.ts')).runMigrateReact],
  ['export', async () => (await import('./runExport.ts')).runExport],
  ['backup', async () => (await import('./runBackup.ts')).runBackup],
  ['restore', async () => (await import('./runBackup.ts')).runRestore],
  ['move', async () => (await import('./runBackup.ts')).runMove],
  ['import', async () => (await import('./runImport.ts')).runImport],
  ['sync', async () => (await import('./runSync.ts')).runSync],
  ['types', async () => (await import('./runTypes.ts')).runTypes],
])

/** `countersign help schema` is `countersign schema --help`. */
function helpOn({ command, words }: Arguments): string {
  const [about = 'start'] = command === 'help' ? words : [command]
  if (!commands.has(about)) throw new ConfigError(`Unknown command "${about}". See countersign help.`)
  return about
}

try {
  const given = readArguments(process.argv.slice(2))
  if (given.help || given.command === 'help') process.stdout.write(usageOf(helpOn(given)))
  else if (given.showVersion || given.command === 'version') process.stdout.write(`${version}\n`)
  else {
    const load = commands.get(given.command)
    if (!load) throw new ConfigError(`Unknown command "${given.command}". See countersign --help.`)
    const run = await load()
    await run(given)
  }
} catch (error) {
  // Our own errors contain the fix; any other needs its stack.
  const known = error instanceof Error && error.name !== 'Error' && !(error instanceof TypeError)
  process.stderr.write(`\n${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n\n`)
  process.exit(1)
}
