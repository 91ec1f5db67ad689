// @vitest-environment node
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import * as account from './account.ts'
import * as chain from './chain.ts'
import * as core from './core.ts'
import * as devtools from './devtools.ts'
import * as index from './index.ts'
import * as sheet from './sheet.ts'
import * as testing from './testing.ts'

// Written by `npx vitest run packages/react/src/exports.test.ts --update`; a name that goes is a breaking change.
test.each(Object.entries({ account, chain, core, index, sheet, devtools, testing }))(
  'the export list of %s',
  (_, entry) => {
    expect(Object.keys(entry).sort().join('\n')).toMatchSnapshot()
  },
)

test('only files with React are marked for the client: entries work in server components, too', async () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.|^testing\b/.test(file),
  )
  const wrong: string[] = []
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8')
    const usesReact =
      /^import (?!type )[^;]*? from 'react(-dom)?'/m.test(text) ||
      /^export function use[A-Z]/m.test(text) ||
      file.endsWith('.tsx')
    if (text.startsWith("'use client'\n") !== usesReact) wrong.push(file)
  }
  expect(wrong).toEqual([])
  expect(files.length).toBeGreaterThan(100)
})

test('source maps lead to sources that are published', async () => {
  for (const name of ['protocol', 'react', 'moralis']) {
    const { files } = JSON.parse(await readFile(new URL(`../../${name}/package.json`, import.meta.url), 'utf8'))
    expect(files, name).toContain('src')
    expect(files, name).toContain('!src/**/*.test.*')
  }
})
