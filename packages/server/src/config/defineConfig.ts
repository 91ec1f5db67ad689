import type { ConfigInput } from './Config.ts'

/**
 * Types the config file.
 *
 * @example
 * import { defineConfig } from 'countersign'
 * export default defineConfig({ appName: 'Acme', sessionLength: 7 * 24 * 3600 })
 */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config
}
