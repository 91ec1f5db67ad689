import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../steps/root.mjs'

/** Folders that the pages leave out where they name a file. */
const bases = ['', 'packages/server/src', 'packages/react/src', 'packages/protocol/src', 'apps/web/src', 'docs']

/** Files that a page names in code, with their folder. @param {string} page */
function listNamed(page) {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
  return [...text.matchAll(/`([\w@./-]+\/[\w.-]+\.(?:tsx?|mjs|md|json))(?:#[^`]*)?`/g)].map(([, path = '']) => path)
}

/** @param {string} path */
const isThere = (path) => bases.some((base) => existsSync(join(root, base, path)))

test.each(['docs/architecture.md', 'CONTRIBUTING.md', 'docs/console.md', 'docs/i18n.md'])(
  '%s names only files that exist',
  (page) => {
    expect(listNamed(page).filter((path) => !isThere(path))).toEqual([])
  },
)

test('the check finds a file that is gone', () => {
  expect(isThere('http/request/parseInput.ts')).toBe(false)
  expect(isThere('http/request/cors.ts')).toBe(true)
})
