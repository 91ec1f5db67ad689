import type { SettingRecord } from '@countersign/protocol'
import { type Config, configSchema } from '../config/Config.ts'
import type { Context } from '../context/Context.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

/**
 * Texts that are shown. Every other text may hold a secret, now or when somebody adds a setting: what is shown is a list,
 * not what is hidden.
 */
const shownTexts = new Set([
  'host',
  'mount',
  'mountPath',
  'publicUrl',
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

/** Texts inside a group that are shown, whatever the group is. */
const shownInside = /^(store|level|from|mode|requestPath|chainId|name|enabled|required)$/

// Texts of the brand in eight languages are the longest.
const longest = 20_000

/** Every setting as it holds, with the place that it comes from. */
function listSettings({ config }: Context): { results: SettingRecord[] } {
  const names = Object.keys(configSchema.shape).sort() as (keyof Config & string)[]
  return {
    results: names.map((name) => {
      const given = config[name]
      const source = Object.hasOwn(config.sources, name) ? config.sources[name] : undefined
      const isSet = given !== undefined && given !== null
      const shown = show(given, shownTexts.has(name))
      return {
        name,
        source: source ?? 'default',
        ...(shown.value !== undefined && { value: JSON.stringify(shown.value).slice(0, longest) }),
        isSecret: shown.isSecret,
        isSet,
      }
    }),
  }
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
    return { value: isSecret && !isOpen ? `${value.length} entries` : items.map((item) => item.value), isSecret }
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
  handle: async ({ context }) => listSettings(context),
})
