// Every shell sample of the documentation is tried as far as that goes without a network: its syntax, the commands and
// options that it names, requests against a real server, and `npm create countersign` with its templates.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '../../e2e/lib/servers/startServer.mjs'
import { root } from '../steps/root.mjs'

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')
const folders = ['docs', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)]
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
)
const pages = ['README.md', 'CONTRIBUTING.md', 'examples/README.md', ...files]

const samples = pages.flatMap((page) => {
  const text = read(page)
  return [...text.matchAll(/^( *)```(?:sh|bash)\n([\s\S]*?)^ *```$/gm)].map(
    ({ 1: indent = '', 2: code = '', index }) => ({
      place: `${page}:${text.slice(0, index).split('\n').length}`,
      page,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
})

/** Commands in samples and within sentences: `npx countersign keys`. */
const named = [
  ...samples.flatMap(({ place, code }) =>
    code
      .replaceAll('\\\n', ' ')
      .split(/\n|&&|\$\(|\|/)
      .map((line) => ({ place, line })),
  ),
  ...pages.flatMap((page) => [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, line = '']) => ({ place: page, line }))),
]

const run = (/** @type {string} */ script, /** @type {NodeJS.ProcessEnv} */ env = {}) =>
  spawnSync('bash', ['-c', script], { encoding: 'utf8', env: { ...process.env, ...env } })

test('every shell sample is valid', () => {
  expect(samples.length).toBeGreaterThan(30)
  for (const { place, code } of samples)
    expect([place, spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' }).stderr]).toEqual([place, ''])
})

test('every command of countersign that is named exists, with its options', async () => {
  const { readArguments } = await import(pathToFileURL(join(root, 'packages/server/dist/cli/readArguments.js')).href)
  const main = read('packages/server/src/cli/main.ts')
  const usages = read('packages/server/src/cli/usages.ts')
  const commands = [...main.matchAll(/^ {2}\['([\w-]+)', async/gm)].map(([, name = '']) => name)
  const withWords = ['keys', 'access', 'service', 'client', 'audit', 'schema', 'sync', 'import']
  let tried = 0
  for (const { place, line } of named) {
    const rest = line.match(/^\s*(?:[A-Z_]+=\S+ )*(?:npx )?countersign\s+([a-z-][^#]*)/)?.[1]
    if (rest === undefined) continue
    const words = (rest.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^['"]|['"]$/g, ''))
    const fault = findFault(words)
    expect([place, line, fault]).toEqual([place, line, undefined])
    tried++
  }
  expect(tried).toBeGreaterThan(60)

  /** @param {string[]} words */
  function findFault(words) {
    try {
      const {
        command,
        words: [first],
      } = readArguments(words)
      if (![...commands, 'help', 'version'].includes(command)) return `There is no command ${command}.`
      const isKnown =
        !withWords.includes(command) || !first || first === '…' || usages.includes(`countersign ${command} ${first}`)
      return isKnown ? undefined : `There is no ${command} ${first}.`
    } catch (error) {
      return String(error)
    }
  }
})

test('every script of npm that is named exists', () => {
  const packages = [
    'package.json',
    ...listPackages('examples'),
    ...listPackages('packages/create-countersign/templates'),
  ]
  const scripts = new Set(packages.flatMap((file) => Object.keys(JSON.parse(read(file)).scripts ?? {})))
  for (const { place, line } of named) {
    const script = line.match(/^\s*npm (?:run )?((?:(?<=run )[\w:-]+)|start|test)\b/)?.[1]
    if (script) expect([place, script, scripts.has(script)]).toEqual([place, script, true])
    const file = line.match(/^\s*node (scripts\/\S+\.mjs)/)?.[1]
    if (file) expect([place, file, existsSync(join(root, file))]).toEqual([place, file, true])
  }
})

/** @param {string} folder */
function listPackages(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|[\\/])package\.json$/.test(name) && !/node_modules|dist|\.next/.test(name))
    .map((name) => join(folder, name))
}

test('every npm create countersign that is named makes an application', () => {
  const home = mkdtempSync(join(tmpdir(), 'countersign-samples-'))
  try {
    const lines = new Set(
      named.map(({ line }) => line.trim()).filter((line) => /^npm create countersign\S* \w/.test(line)),
    )
    expect(lines.size).toBeGreaterThan(1)
    for (const [number, line] of [...lines].entries()) {
      const [folder = '', ...options] = line
        .replace(/^npm create countersign\S* /, '')
        .replace('-- ', '')
        .split(' ')
      const target = join(home, String(number), folder)
      const create = [join(root, 'packages/create-countersign/create.js'), target, ...options]
      const { status, stderr } = spawnSync(process.execPath, create, { encoding: 'utf8', input: '' })
      expect([line, status, stderr]).toEqual([line, 0, ''])
      const { scripts } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
      expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['dev', 'test']))
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

describe('requests', () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server
  beforeAll(async () => {
    server = await startServer({ appId: 'samples', masterKey: 'the master key of samples' })
  }, 120_000)
  afterAll(() => server?.stop())

  // Samples that need a missing node, job or role are refused for that reason only.
  const refused = ['chain-data', 'jobs', 'token-gate', 'webhooks']

  test.each(samples.filter(({ code }) => code.includes('curl ')))('$place', { timeout: 60_000 }, ({ page, code }) => {
    const tools = `
      curl() { command curl -sS -w '\\n@@%{http_code}\\n' "$@"; }
      npx() { echo "Application id   samples"; }
      APP=samples`
    const here = code.replaceAll('http://localhost:1337', server.url).replaceAll('0x…', `0x${'1'.repeat(40)}`)
    const { stdout, stderr } = run(`${tools}\n${here}`, { APP_ID: 'samples', MASTER_KEY: 'the master key of samples' })
    expect(stderr).toBe('')
    const statuses = [...stdout.matchAll(/@@(\d+)/g)].map(([, status]) => Number(status))
    expect(statuses.length).toBe(code.match(/\bcurl /g)?.length)
    expect(stdout).not.toMatch(/"reason":"(unknownEndpoint|unauthorized|invalidJson|invalidInput)"/)
    if (refused.some((name) => page.includes(name))) return
    for (const status of statuses) expect([stdout, status < 300]).toEqual([stdout, true])
  })
})
