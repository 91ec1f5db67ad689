import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { WireValue } from '@countersign/protocol'
import { ConfigError } from '../config/ConfigError.ts'

const names = ['countersign.schema.ts', 'countersign.schema.js', 'countersign.schema.json']

/** Reads the schema file: the one that was named, or the first of the usual names in the folder. */
export async function readSchemaFile(folder: string, named?: string): Promise<{ path: string; classes: WireValue }> {
  const paths = (named === undefined ? names : [named]).map((name) => resolve(folder, name))
  const path = paths.find((at) => existsSync(at))
  if (path === undefined) {
    throw new ConfigError(
      `There is no schema file at ${paths[0]}. Name one: countersign schema apply FILE. countersign schema print writes one.`,
    )
  }
  try {
    const classes = path.endsWith('.json') ? JSON.parse(await readFile(path, 'utf8')) : await importFile(path)
    if (classes === null || typeof classes !== 'object' || Array.isArray(classes)) {
      throw new Error('it must export an object: export default defineSchema({ … })')
    }
    // As it would cross the wire: what is no JSON has no place in a schema.
    return { path, classes: JSON.parse(JSON.stringify(classes)) }
  } catch (cause) {
    throw new ConfigError(`The schema file ${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

async function importFile(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  return createJiti(import.meta.url, { interopDefault: true }).import(path, { default: true })
}
