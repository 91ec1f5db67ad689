import type { SettingRecord } from '@countersign/protocol'
import { type Config, configSchema } from '../config/Config.ts'
import { type EditableSetting, hideSecrets, isEditable, isFixed } from '../config/editableSettings.ts'
import { environmentNames } from '../config/readConfig.ts'
import type { Context } from '../context/Context.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { readStored, type StoredSetting } from '../settings/storedSettings.ts'

/**
 * Texts that are shown. Every other text may hold a secret, now or when somebody adds a setting: what is shown is a list,
 * not what is hidden.
 */
const shownTexts = new Set([
  'host',
  'mount',
  'mountPath',
  'publicUrl',
  'webUrl',
  'appName',
  'brand',
  'appId',
  'dataFolder',
  'cloud',
  'logLevel',
  'logLevels',
  'allowOrigin',
  'masterKeyIps',
  'trustProxy',
  'protectedFields',
  'secondFactor',
  'signIn',
  'signUp',
  'fileUpload',
  'wallet',
  'rateLimit',
])

/** Environment variables, also those of settings that have a part there. */
const variables: ReadonlyMap<string, string> = new Map([
  ...Object.entries(environmentNames),
  ['production', 'NODE_ENV'],
  ['trustProxy', 'COUNTERSIGN_TRUST_PROXY'],
  ['traces', 'COUNTERSIGN_TRACES_URL'],
  ['drainTime', 'COUNTERSIGN_DRAIN_TIME'],
  ['logLevels', 'COUNTERSIGN_LOG_LEVELS'],
  ['smtp', 'COUNTERSIGN_SMTP_URL'],
])

/** Texts inside a group that are shown, whatever the group is. */
const shownInside = /^(store|level|from|mode|requestPath|chainId|name|enabled|required)$/

// Texts of the brand in eight languages are the longest.
const longest = 20_000

/** Every setting as it holds, with the place that it comes from. */
async function listSettings(context: Context): Promise<{ results: SettingRecord[] }> {
  const names = Object.keys(configSchema.shape).sort() as (keyof Config & string)[]
  const stored = await readStored(context)
  return { results: names.map((name) => describeSetting(context.config, stored, name)) }
}

export function describeSetting(
  config: Config,
  stored: Awaited<ReturnType<typeof readStored>>,
  name: keyof Config & string,
): SettingRecord {
  const given = config[name]
  const source = Object.hasOwn(config.sources, name) ? config.sources[name] : undefined
  const isSet = given !== undefined && given !== null
  const shown = show(given, shownTexts.has(name))
  const variable = variables.get(name)
  return {
    name,
    source: source ?? 'default',
    ...(shown.value !== undefined && { value: JSON.stringify(shown.value).slice(0, longest) }),
    isSecret: shown.isSecret,
    isSet,
    ...(variable !== undefined && { variable }),
    ...(isEditable(name) && !isFixed(config, name) && { edit: describeEdit(config, name, stored.get(name)) }),
  }
}

function describeEdit(
  config: Config,
  name: EditableSetting,
  stored: StoredSetting | undefined,
): NonNullable<SettingRecord['edit']> {
  // Colors of the brand are calculated from the input: without one there is nothing to edit.
  const { input, hasSecret } = hideSecrets(name, stored?.input ?? (name === 'brand' ? {} : config[name]))
  return {
    ...(input !== undefined && { input: JSON.stringify(input) }),
    hasSecret,
    canUndo: stored?.previous !== undefined,
    version: versionOf(stored),
    ...(stored && { changedAt: stored.changedAt.toISOString(), changedBy: stored.changedBy }),
  }
}

/** The version of a setting that was never saved is fixed, so that the first of two saves wins here, too. */
export function versionOf(stored: StoredSetting | undefined): string {
  return stored?.version ?? 'none'
}

type Shown = { value: unknown; isSecret: boolean }

/** A value without possible secrets; `isSecret` if something was left out. */
function show(value: unknown, isOpen: boolean): Shown {
  if (value === undefined || value === null) return { value: undefined, isSecret: false }
  if (typeof value === 'boolean' || typeof value === 'number') return { value, isSecret: false }
  if (typeof value === 'string') return isOpen ? { value, isSecret: false } : { value: undefined, isSecret: true }
  if (Array.isArray(value)) {
    const items = value.map((item) => show(item, isOpen))
    const isSecret = items.some((item) => item.isSecret)
    const count = value.length === 1 ? '1 entry' : `${value.length} entries`
    return { value: isSecret && !isOpen ? count : items.map((item) => item.value), isSecret }
  }
  if (typeof value !== 'object') return { value: undefined, isSecret: true }
  const parts = Object.entries(value).map(
    ([name, part]) => [name, show(part, isOpen || shownInside.test(name))] as const,
  )
  return {
    value: Object.fromEntries(parts.flatMap(([name, part]) => (part.value === undefined ? [] : [[name, part.value]]))),
    isSecret: parts.some(([, part]) => part.isSecret),
  }
}

export const getSettingsEndpoint = defineEndpoint('getSettings', {
  handle: ({ context }) => listSettings(context),
})
