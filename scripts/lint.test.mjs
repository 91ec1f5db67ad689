import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  reactCoreRooms,
  reactHookRooms,
  reactLayers,
  renderImportRules,
  serverLayers,
  webLayers,
} from './importRules.mjs'
import { root } from './steps/root.mjs'

const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-lint-'))
  const manifests = [
    '',
    'packages/protocol',
    'packages/react',
    'packages/moralis',
    'packages/server',
    'apps/web',
    'e2e',
  ]
  const files = [
    'biome.json',
    '.gitignore',
    'scripts/importRules.json',
    ...manifests.map((path) => join(path, 'package.json')),
  ]
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Writes the files, lints them with the repository's own rules, and removes them.
 *
 * @param {Record<string, string>} files
 * @returns {string[]} the rules that fired, each once
 */
function lint(files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const flags = ['lint', '--error-on-warnings', '--reporter=json', '--max-diagnostics=200', ...Object.keys(files)]
  const { stdout, stderr, status } = spawnSync(process.execPath, [biome, ...flags], { cwd: folder, encoding: 'utf8' })
  for (const path of Object.keys(files)) rmSync(join(folder, path))
  /** @type {{ category: string }[]} */
  const diagnostics = JSON.parse(stdout).diagnostics
  const rules = [...new Set(diagnostics.map(({ category }) => category.split('/').at(-1) ?? category))].sort()
  if ((status === 0) !== (rules.length === 0)) throw new Error(`Biome ended with ${status}:\n${stdout}\n${stderr}`)
  return rules
}

/** @param {string} specifier */
const use = (specifier) => `import { thing } from '${specifier}'\n\nexport const other = thing\n`

describe('an import against the direction is refused', () => {
  test.each([
    ['a layer to the right', 'packages/server/src/users/a.ts', '../http/thing.ts'],
    ['a layer to the right, from a deeper folder', 'packages/server/src/db/embedded/a.ts', '../../users/thing.ts'],
    ['what chain may not see', 'packages/server/src/chain/a.ts', '../users/thing.ts'],
    ["the server's entry, from within", 'packages/server/src/users/a.ts', '../index.ts'],
    ['react, in the core', 'packages/react/src/core/a.ts', 'react'],
    ["react, in the core's entry", 'packages/react/src/core.ts', 'react'],
    ['hooks, in the core', 'packages/react/src/core/account/a.ts', '../../hooks/thing.ts'],
    ["hooks, in the core's entry", 'packages/react/src/core.ts', './hooks/thing.ts'],
    ['a later room of the core', 'packages/react/src/core/session/a.ts', '../wallet/thing.ts'],
    ['a later room of the core, from a deeper folder', 'packages/react/src/core/wallet/a/b.ts', '../../live/thing.ts'],
    ['react, in a room of the core', 'packages/react/src/core/live/a.ts', 'react'],
    ['a later room of the hooks', 'packages/react/src/hooks/session/a.ts', '../account/thing.ts'],
    ['the older names, in react', 'packages/react/src/hooks/a.ts', '@countersign/moralis'],
    ['the older names, in the web application', 'apps/web/src/lib/a.ts', '@countersign/moralis'],
    ['what adapters build on, in the web application', 'apps/web/src/lib/a.ts', '@countersign/react/adapter'],
    ['the sheet, in moralis', 'packages/moralis/src/a.ts', '@countersign/react/sheet'],
    ['react by its path, in moralis', 'packages/moralis/src/a.ts', '../../react/src/core/thing.ts'],
    ['anything at all, in the protocol', 'packages/protocol/src/a.ts', 'node:fs'],
    ['the design system, in the texts', 'apps/web/src/i18n/a.ts', '../ui/Thing.tsx'],
    ['a feature, in the design system', 'apps/web/src/ui/A.tsx', '../features/thing/Thing.tsx'],
    ['a feature, in what features share', 'apps/web/src/account/A.tsx', '../features/thing/Thing.tsx'],
    ['the shell, in a feature', 'apps/web/src/features/a/A.tsx', '../../app/Thing.tsx'],
    ['the start, in a feature', 'apps/web/src/features/a/A.tsx', '../../main.tsx'],
    ['another feature', 'apps/web/src/features/a/A.tsx', '../thing/Thing.tsx'],
    ['another feature, from a deeper folder', 'apps/web/src/features/a/b/A.tsx', '../../thing/Thing.tsx'],
    ['another feature, by a way round', 'apps/web/src/features/a/A.tsx', '../../features/thing/Thing.tsx'],
    ['another package by its path', 'apps/web/src/ui/a.ts', '../../../../packages/server/src/thing.ts'],
    ['a package, in a browser test', 'e2e/a.spec.ts', '../packages/server/src/thing.ts'],
    ['a package, in a script', 'scripts/a.mjs', '../packages/server/dist/thing.js'],
  ])('%s', (_title, path, specifier) => {
    expect(lint({ [path]: use(specifier) })).toContain('noRestrictedImports')
  })

  test.each([
    ['a type', "import type { Thing } from '../http/Thing.ts'\n\nexport type Other = Thing\n"],
    ['a re-export', "export { thing } from '../http/thing.ts'\n"],
    ['a dynamic import', "export const load = () => import('../http/thing.ts')\n"],
  ])('also as %s', (_title, text) => {
    expect(lint({ 'packages/server/src/users/a.ts': text })).toContain('noRestrictedImports')
  })
})

describe('an import in the right direction passes', () => {
  test.each([
    ['packages/server/src/http/a.ts', '../users/thing.ts'],
    ['packages/server/src/users/a.ts', './thing.ts'],
    ['packages/server/src/db/embedded/a.ts', '../thing.ts'],
    ['packages/server/src/chain/a.ts', '../db/thing.ts'],
    ['packages/server/src/users/a.ts', '@countersign/protocol'],
    ['packages/server/src/users/a.test.ts', '../http/thing.ts'],
    ['packages/react/src/core/a.ts', '@countersign/protocol'],
    ['packages/react/src/components/a.tsx', '../hooks/thing.ts'],
    ['packages/react/src/core/wallet/a.ts', '../session/thing.ts'],
    ['packages/react/src/hooks/session/a.ts', '../../core/account/thing.ts'],
    ['packages/moralis/src/a.ts', '@countersign/react/core'],
    ['packages/moralis/src/web3/a.ts', '@countersign/react/adapterChain'],
    ['packages/protocol/src/a.ts', './thing.ts'],
    ['apps/web/src/ui/A.tsx', '../i18n/thing.ts'],
    ['apps/web/src/features/a/A.tsx', '../../ui/Thing.tsx'],
    ['apps/web/src/features/a/A.tsx', '../../account/thing.ts'],
    ['apps/web/src/features/a/A.tsx', './Part.tsx'],
    ['apps/web/src/app/App.tsx', '../features/a/Thing.tsx'],
  ])('%s imports %s', (path, specifier) => {
    expect(lint({ [path]: use(specifier) })).toEqual([])
  })
})

describe('other planted faults', () => {
  test('a cycle', () => {
    const rules = lint({
      'packages/server/src/users/a.ts': "import { b } from './b.ts'\n\nexport const a = () => b\n",
      'packages/server/src/users/b.ts': "import { a } from './a.ts'\n\nexport const b = () => a\n",
    })
    expect(rules).toEqual(['noImportCycles'])
  })

  test('a dependency that is not declared', () => {
    expect(lint({ 'packages/server/src/users/a.ts': use('left-pad') })).toEqual(['noUndeclaredDependencies'])
  })

  test('a development dependency in published code', () => {
    expect(lint({ 'packages/react/src/hooks/a.ts': use('ws') })).toEqual(['noUndeclaredDependencies'])
  })

  test('a barrel inside a package, but not its entry', () => {
    const text = "export { thing } from './thing.ts'\n"
    expect(lint({ 'packages/server/src/users/index.ts': text })).toEqual(['noBarrelFile'])
    expect(lint({ 'packages/server/src/index.ts': text, 'packages/react/src/core.ts': text })).toEqual([])
  })

  test.each([
    ['any', 'export const a = (value: any) => value\n', 'noExplicitAny'],
    ['a default export', 'export default 1\n', 'noDefaultExport'],
    ['an unused variable', 'const a = 1\n', 'noUnusedVariables'],
    ['an unused import', "import { a } from './thing.ts'\n", 'noUnusedImports'],
    ['an import without its extension', use('./thing'), 'useImportExtensions'],
    ['a silenced compiler', '// @ts-ignore\nexport const a = 1\n', 'noTsIgnore'],
  ])('%s', (_title, text, rule) => {
    // The extension rule looks whether the file is there.
    const thing = { 'packages/server/src/users/thing.ts': 'export const thing = 1\nexport const a = 1\n' }
    expect(lint({ ...thing, 'packages/server/src/users/a.ts': text })).toContain(rule)
  })
})

describe('the list of layers', () => {
  test('importRules.json is what importRules.mjs says', () => {
    expect(readFileSync(join(root, 'scripts/importRules.json'), 'utf8')).toBe(renderImportRules())
  })

  test.each([
    ['packages/server/src', serverLayers],
    ['packages/react/src', reactLayers],
    ['packages/react/src/core', reactCoreRooms],
    ['packages/react/src/hooks', reactHookRooms],
    ['apps/web/src', webLayers],
  ])('every folder of %s has its place in the row', (path, layers) => {
    const entries = readdirSync(join(root, path), { withFileTypes: true })
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    expect(folders.filter((name) => name !== '__snapshots__' && !layers.includes(name))).toEqual([])
  })
})
