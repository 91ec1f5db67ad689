import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * Versions of the packages as they are installed.
 *
 * @param {import('../types.d.ts').Competitor[]} competitors
 */
export function readVersions(competitors) {
  /** @type {Record<string, Record<string, string>>} */
  const versions = {}
  for (const { name, packages } of competitors) {
    versions[name] = {}
    for (const each of packages) {
      const folder = each.startsWith('.') ? `../${each}` : `../node_modules/${each}`
      const file = new URL(`${folder}/package.json`, import.meta.url)
      const key = each.startsWith('.') ? basename(each) : each
      versions[name][key] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : 'not installed'
    }
  }
  return versions
}
