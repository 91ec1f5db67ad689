import type { z } from 'zod'
import { type Config, configSchema } from './Config.ts'
import { ConfigError } from './ConfigError.ts'
import { readConfigFile } from './readConfigFile.ts'
import { environmentNames, readEnvironment } from './readEnvironment.ts'

export type ConfigSources = {
  /** Settings from the command line; they win over the environment, which wins over the file. */
  flags?: Record<string, unknown>
  environment?: Record<string, string | undefined>
  folder?: string
  configFile?: string | undefined
}

/** Puts the settings together, checks them, and says how to mend what is wrong. */
export async function readConfig(sources: ConfigSources = {}): Promise<Config> {
  const environment = sources.environment ?? process.env
  const named = sources.configFile ?? (environment.COUNTERSIGN_CONFIG || undefined)
  const file = await readConfigFile(sources.folder ?? process.cwd(), named)
  const fromEnvironment = readEnvironment(environment)
  const parsed = configSchema.safeParse({ ...file.settings, ...fromEnvironment, ...sources.flags })
  if (parsed.success) return withDefaults(parsed.data)

  const lines = parsed.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((name) => `${name}: no such setting.${didYouMean(name)}`)
    const setting = String(issue.path[0] ?? '')
    return [`${issue.path.join('.')} ${sourceOf(setting)}: ${issue.message}`]
  })
  throw new ConfigError(
    `The configuration has mistakes:\n${lines.map((line) => `  - ${line}`).join('\n')}\nSee docs/configuration.md.`,
  )

  function sourceOf(setting: string): string {
    if (sources.flags && setting in sources.flags) return `(from --${setting})`
    if (setting in fromEnvironment)
      return `(from ${environmentNames[setting as keyof typeof environmentNames] ?? 'the environment'})`
    return file.path ? `(from ${file.path})` : ''
  }
}

/** What is open for a developer is closed in production, unless the operator says otherwise. */
function withDefaults(config: z.output<typeof configSchema>): Config {
  return {
    ...config,
    host: config.host ?? (config.production ? '0.0.0.0' : '127.0.0.1'),
    allowClientClassCreation: config.allowClientClassCreation ?? !config.production,
    allowClientRoleCreation: config.allowClientRoleCreation ?? !config.production,
    // Whoever is asked learns the addresses of users: in production that is the operator's choice.
    publicNodes: config.publicNodes ?? !config.production,
  }
}

function didYouMean(name: string): string {
  const known = Object.keys(configSchema.shape)
  const near = known.find((setting) => setting.toLowerCase() === name.toLowerCase() || distance(setting, name) <= 2)
  return near ? ` Did you mean ${near}?` : ''
}

/** How many letters must change to make one word of the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[to.length] as number
}
