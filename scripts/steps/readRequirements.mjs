import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

const folders = ['packages', 'apps', 'e2e', 'scripts']
const skipped = /(^|\/)(node_modules|dist|\.next)\//
/** A title that begins with the numbers of what it proves: `R19: …`, `S9, S29: …`, `SEC-4: …`. */
const titles = /['"`]((?:(?:[RDSPB]|SEC-)\d+(?:, | and )?)+)(?:: |', \()/g

/** @returns {Map<string, string[]>} the test files of each number that a title carries */
export function readRequirementTests() {
  /** @type {Map<string, Set<string>>} */
  const files = new Map()
  for (const folder of folders)
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = `${folder}/${file}`
      if (!/\.(test|spec)\.(ts|tsx|mjs)$/.test(path) || skipped.test(path)) continue
      for (const [, numbers = ''] of readFileSync(join(root, path), 'utf8').matchAll(titles))
        for (const [number] of numbers.matchAll(/[A-Z]+-?\d+/g))
          files.set(number, (files.get(number) ?? new Set()).add(path))
    }
  return new Map([...files].map(([number, paths]) => [number, [...paths].sort()]))
}
