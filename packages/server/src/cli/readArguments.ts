import { parseArgs } from 'node:util'
import { ConfigError } from '../config/ConfigError.ts'

export type Arguments = {
  command: string
  /** Arguments after the command. */
  words: string[]
  flags: Record<string, string>
  configFile: string | undefined
  /** Options of single commands. */
  options: Options
  help: boolean
  showVersion: boolean
}

/** Options of each command besides the general ones. */
const ownOptions: { [command: string]: readonly OptionName[] } = {
  doctor: ['json', 'mail'],
  attack: ['report', 'sarif', 'only', 'list', 'i-own-this', 'token-file', 'master-key-file'],
  audit: ['anchor', 'out'],
  schema: ['dry-run', 'allow-drops', 'server', 'out'],
  types: ['out', 'server'],
  sync: ['server', 'json'],
  admin: ['username', 'email', 'role', 'server'],
  access: ['scopes', 'service', 'addresses', 'expires', 'overlap', 'server', 'json'],
  service: ['roles', 'server', 'json'],
  client: [
    'name',
    'public',
    'redirect',
    'after-sign-out',
    'backchannel-logout',
    'website',
    'device',
    'trusted',
    'pairwise',
    'server',
    'json',
  ],
  'migrate-react': ['dry-run', 'force'],
  export: ['class'],
  backup: ['passphrase-file', 'every', 'keep', 'hold-writes'],
  restore: ['passphrase-file'],
  move: ['to'],
  import: [
    'dry-run',
    'restart',
    'report',
    'class',
    'types',
    'url',
    'app-id',
    'master-key',
    'files',
    'files-url',
    'keep-files',
    'no-sessions',
    'proven-wallets',
  ],
}

const optionTypes = {
  'dry-run': { type: 'boolean' },
  force: { type: 'boolean' },
  'allow-drops': { type: 'boolean' },
  out: { type: 'string' },
  server: { type: 'string' },
  json: { type: 'boolean' },
  mail: { type: 'string' },
  anchor: { type: 'string' },
  username: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string' },
  scopes: { type: 'string' },
  service: { type: 'string' },
  addresses: { type: 'string' },
  expires: { type: 'string' },
  overlap: { type: 'string' },
  roles: { type: 'string' },
  name: { type: 'string' },
  public: { type: 'boolean' },
  redirect: { type: 'string' },
  'after-sign-out': { type: 'string' },
  'backchannel-logout': { type: 'string' },
  website: { type: 'string' },
  device: { type: 'string' },
  trusted: { type: 'string' },
  pairwise: { type: 'string' },
  restart: { type: 'boolean' },
  report: { type: 'string' },
  sarif: { type: 'string' },
  only: { type: 'string' },
  list: { type: 'boolean' },
  'i-own-this': { type: 'boolean' },
  'token-file': { type: 'string' },
  'master-key-file': { type: 'string' },
  class: { type: 'string' },
  types: { type: 'string' },
  url: { type: 'string' },
  'app-id': { type: 'string' },
  'master-key': { type: 'string' },
  files: { type: 'string' },
  'files-url': { type: 'string' },
  'keep-files': { type: 'boolean' },
  'no-sessions': { type: 'boolean' },
  'proven-wallets': { type: 'boolean' },
  'passphrase-file': { type: 'string' },
  every: { type: 'string' },
  keep: { type: 'string' },
  'hold-writes': { type: 'boolean' },
  to: { type: 'string' },
} as const

type OptionName = keyof typeof optionTypes

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** The options of single commands by their names in code: `dryRun` for `--dry-run`. */
export type Options = {
  [Name in OptionName as CamelCase<Name>]?: (typeof optionTypes)[Name]['type'] extends 'boolean' ? boolean : string
}

export function readArguments(args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        workers: { type: 'string' },
        data: { type: 'string' },
        config: { type: 'string' },
        ...optionTypes,
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', short: 'v', default: false },
      },
    })
    const [command = 'start', ...words] = positionals
    const options: { [name: string]: string | boolean } = {}
    for (const name of Object.keys(optionTypes) as OptionName[]) {
      const value = values[name]
      if (value === undefined) continue
      if (!ownOptions[command]?.includes(name))
        throw new Error(`Unknown option --${name} of countersign ${command}. See countersign help ${command}.`)
      options[name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())] = value
    }
    const flags: Record<string, string> = {}
    if (values.port !== undefined) flags.port = values.port
    if (values.host !== undefined) flags.host = values.host
    if (values.workers !== undefined) flags.workers = values.workers
    if (values.data !== undefined) flags.dataFolder = values.data
    return {
      command,
      words,
      flags,
      configFile: values.config,
      options: options as Options,
      help: values.help,
      showVersion: values.version,
    }
  } catch (cause) {
    throw new ConfigError(`${(cause as Error).message} See countersign --help.`, { cause })
  }
}
