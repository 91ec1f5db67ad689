import { ConfigError } from '../config/ConfigError.ts'
import { version } from '../version.ts'
import { readArguments } from './readArguments.ts'
import { runKeys } from './runKeys.ts'
import { runStart } from './runStart.ts'

const usage = `countersign ${version}: the sign-in, account and data server that you run yourself

  countersign start    start the server (the default)
  countersign keys     show the application id and the keys

  --port N             port to listen on          (PORT, 1337)
  --host NAME          address to listen on       (HOST, 127.0.0.1; 0.0.0.0 in production)
  --data FOLDER        data folder                (COUNTERSIGN_DATA, ./data)
  --config FILE        config file                (COUNTERSIGN_CONFIG, countersign.config.{ts,js,json})
  --help, --version

PostgreSQL instead of the embedded database: DATABASE_URL=postgresql://user:password@host:5432/database
`

const commands = new Map([
  ['start', runStart],
  ['keys', runKeys],
])

try {
  const { command, flags, configFile, help, showVersion } = readArguments(process.argv.slice(2))
  if (help) process.stdout.write(usage)
  else if (showVersion) process.stdout.write(`${version}\n`)
  else {
    const run = commands.get(command)
    if (!run) throw new ConfigError(`There is no command "${command}". See countersign --help.`)
    await run({ flags, configFile })
  }
} catch (error) {
  // Errors of our own say how to mend; anything else is a fault whose stack is needed.
  const known = error instanceof Error && error.name !== 'Error' && !(error instanceof TypeError)
  process.stderr.write(`\n${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n\n`)
  process.exit(1)
}
