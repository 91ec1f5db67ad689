import { parseArgs } from 'node:util'
import { ConfigError } from '../config/ConfigError.ts'

export type Arguments = {
  command: string
  /** What stands after the command. */
  words: string[]
  flags: Record<string, string>
  configFile: string | undefined
  /** Options of single commands. */
  options: { dryRun?: boolean; force?: boolean; allowDrops?: boolean; out?: string; server?: string }
  help: boolean
  showVersion: boolean
}

/** Which options a command takes besides those of every command. */
const ownOptions: { [command: string]: readonly string[] } = {
  schema: ['dry-run', 'allow-drops', 'server', 'out'],
  types: ['out', 'server'],
  'migrate-react': ['dry-run', 'force'],
}

export function readArguments(args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        data: { type: 'string' },
        config: { type: 'string' },
        'dry-run': { type: 'boolean' },
        force: { type: 'boolean' },
        'allow-drops': { type: 'boolean' },
        out: { type: 'string' },
        server: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    })
    const [command = 'start', ...words] = positionals
    for (const name of ['dry-run', 'force', 'allow-drops', 'out', 'server'] as const) {
      if (values[name] !== undefined && !ownOptions[command]?.includes(name)) {
        throw new Error(`countersign ${command} takes no --${name}.`)
      }
    }
    const flags: Record<string, string> = {}
    if (values.port !== undefined) flags.port = values.port
    if (values.host !== undefined) flags.host = values.host
    if (values.data !== undefined) flags.dataFolder = values.data
    return {
      command,
      words,
      flags,
      configFile: values.config,
      options: {
        ...(values['dry-run'] !== undefined && { dryRun: values['dry-run'] }),
        ...(values.force !== undefined && { force: values.force }),
        ...(values['allow-drops'] !== undefined && { allowDrops: values['allow-drops'] }),
        ...(values.out !== undefined && { out: values.out }),
        ...(values.server !== undefined && { server: values.server }),
      },
      help: values.help,
      showVersion: values.version,
    }
  } catch (cause) {
    throw new ConfigError(`${(cause as Error).message} See countersign --help.`, { cause })
  }
}
