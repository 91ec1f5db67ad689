import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigError } from './ConfigError.ts'

const names = ['countersign.config.ts', 'countersign.config.js', 'countersign.config.json']

/** Reads the config file: the one that was named, or the first of the usual names in the folder. */
export async function readConfigFile(folder: string, named?: string): Promise<{ path?: string; settings: object }> {
  const path = named ? resolve(folder, named) : names.map((name) => resolve(folder, name)).find((at) => existsSync(at))
  if (!path) return { settings: {} }
  if (!existsSync(path))
    throw new ConfigError(`There is no config file at ${path}. Check --config or COUNTERSIGN_CONFIG.`)
  try {
    const settings = path.endsWith('.json') ? JSON.parse(await readFile(path, 'utf8')) : await importConfig(path)
    if (settings === null || typeof settings !== 'object' || Array.isArray(settings)) {
      throw new Error('it must export an object: export default defineConfig({ … })')
    }
    return { path, settings }
  } catch (cause) {
    throw new ConfigError(`The config file ${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

async function importConfig(path: string): Promise<unknown> {
  // Loaded on use: most servers run without a config file, and the compiler is the heaviest import we have.
  const { createJiti } = await import('jiti')
  return createJiti(import.meta.url, { interopDefault: true }).import(path, { default: true })
}
