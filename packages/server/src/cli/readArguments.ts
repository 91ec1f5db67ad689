import { parseArgs } from 'node:util'
import { ConfigError } from '../config/ConfigError.ts'

export type Arguments = {
  command: string
  flags: Record<string, string>
  configFile: string | undefined
  help: boolean
  showVersion: boolean
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
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    })
    const flags: Record<string, string> = {}
    if (values.port !== undefined) flags.port = values.port
    if (values.host !== undefined) flags.host = values.host
    if (values.data !== undefined) flags.dataFolder = values.data
    return {
      command: positionals[0] ?? 'start',
      flags,
      configFile: values.config,
      help: values.help,
      showVersion: values.version,
    }
  } catch (cause) {
    throw new ConfigError(`${(cause as Error).message} See countersign --help.`, { cause })
  }
}
