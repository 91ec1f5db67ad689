// The documentation as a site: its links, its list of pages, and that everything which is published has its place in it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { listExamples } from '../site/readReference.mjs'
import { readSite } from '../steps/buildSite.mjs'
import { root } from '../steps/root.mjs'

// The site is made from the built packages, as what it describes is what is published.
const load = (/** @type {string} */ path) => import(pathToFileURL(join(root, 'packages', path)).href)
const { pages, sections, deadLinks } = await readSite()
const pageAt = (/** @type {string} */ path) => pages.find((page) => page.path === path)
const isAnchor = (/** @type {string} */ path, /** @type {string} */ id) =>
  pageAt(path)?.html.includes(`id="${id}"`) ?? false

/** @type {{ what: string, number: number, missing: number, where: string }[]} */
const coverage = []
afterAll(() => console.table(coverage))

/**
 * @param {string} what
 * @param {string} where
 * @param {string[]} names
 * @param {(name: string) => boolean} isCovered
 */
function expectCovered(what, where, names, isCovered) {
  const missing = names.filter((name) => !isCovered(name))
  coverage.push({ what, number: names.length, missing: missing.length, where })
  expect(names.length).toBeGreaterThan(0)
  expect(missing).toEqual([])
}

test('no link leads nowhere', () => {
  expect(deadLinks).toEqual([])
})

test('every page has its place in the sidebar, once', () => {
  const placed = sections.flatMap((section) => section.pages.map(({ path }) => path))
  const paths = pages.map(({ path }) => path).filter((path) => path !== '')
  expect(placed.toSorted()).toEqual(paths.toSorted())
})

test('no page contains script, style or another host', () => {
  for (const { path, html } of pages) {
    const found = html.match(/<(script|style|iframe|object|embed|form)\b|<[^>]*\s(on\w+|style)=|src="(https?:)?\/\//i)
    expect([path, found?.[0]]).toEqual([path, undefined])
  }
})

const packages = ['react', 'moralis', 'server']
const everyEntry = packages.flatMap((folder) => {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
  return (
    Object.entries(exports)
      .filter(([, target]) => typeof target === 'object' && 'default' in target && /\.js$/.test(target.default))
      .map(([entry, target]) => ({
        name: `${name}${entry.slice(1)}`,
        file: `${folder}/${target.default.replace('../', '')}`,
      }))
      // A name with an ending is a file that is served as it is, not a module.
      .filter(({ name: each }) => !/\.js$/.test(each))
  )
})

const isAdapter = (/** @type {{ name: string }} */ { name }) => name.includes('/adapter')
const entries = everyEntry.filter((entry) => !isAdapter(entry))

test.each(everyEntry.filter(isAdapter))('every name that $name exports is in sdk-integrations.md', async ({ file }) => {
  const text = readFileSync(join(root, 'docs/sdk-integrations.md'), 'utf8')
  const names = Object.keys(await load(file))
  expectCovered(`names of ${file}`, 'sdk-integrations.md', names, (each) => text.includes(`\`${each}\``))
})

// Loading a package takes long on a busy machine.
test.each(entries)(
  'every name that $name exports is in the reference',
  { timeout: 180_000 },
  async ({ name, file }) => {
    const path = `reference/${name.replace('@countersign/', '').replaceAll('/', '-')}`
    const text = pageAt(path)?.text ?? ''
    const names = Object.keys(await load(file)).filter((each) => each !== 'default')
    if (names.length === 0) return expect(text).not.toBe('')
    expectCovered(`names of ${name}`, path, names, (each) => {
      const elsewhere = text.match(new RegExp(`\\[\`${each}\`\\]\\(([\\w-]+)\\.md#`))?.[1]
      return isAnchor(elsewhere ? `reference/${elsewhere}` : path, each.toLowerCase())
    })
  },
)

// Types are shown by the examples of what takes and returns them; scripts/docsChecks/samples.test.mjs compiles every example.
test.each(entries)('every name that $name exports has an example', async ({ name, file }) => {
  const names = Object.keys(await load(file)).filter((each) => each !== 'default')
  const shown = new Set(listExamples().map((example) => example.name))
  if (names.length > 0) expectCovered(`examples of ${name}`, 'the reference', names, (each) => shown.has(each))
})

test('the first page has a moving picture of at most 500 kB, and one that stands still', () => {
  const { html = '', pictures = [] } = pageAt('') ?? {}
  expect(html).toContain('<source media="(prefers-reduced-motion: reduce)" srcset="./tour.still.webp">')
  expect(pictures).toEqual(expect.arrayContaining(['tour.webp', 'tour.still.webp']))
  const moving = readFileSync(join(root, 'docs/tour.webp'))
  expect(moving.length).toBeLessThan(500_000)
  expect(moving.toString('latin1').match(/ANMF/g)?.length).toBeGreaterThan(5)
})

test('every endpoint is in the reference', async () => {
  const { contract } = await load('protocol/dist/contract/index.js')
  expectCovered('endpoints', 'reference/endpoints', Object.keys(contract), (name) =>
    isAnchor('reference/endpoints', name.toLowerCase()),
  )
})

test('every reason is explained', async () => {
  const { reasons } = await load('protocol/dist/reasons.js')
  expectCovered('reasons', 'errors', Object.keys(reasons), (name) => isAnchor('errors', name))
})

test('every setting is explained', async () => {
  const { configSchema } = await load('server/dist/config/Config.js')
  const schema = configSchema.toJSONSchema({ io: 'input', unrepresentable: 'any' })
  const names = Object.keys(schema.properties)
  // A row of a table, so that a list of names alone does not count.
  const rows = ['configuration', 'sign-in-settings', 'chain-settings']
    .flatMap((page) => (pageAt(page)?.text ?? '').split('\n'))
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|')[1] ?? '')
    .join('\n')
  const codes = pages
    .filter(({ from }) => from)
    .map((page) => page.text.match(/^```[\s\S]*?^```$|`[^`\n]+`/gm)?.join(' '))
  const isNamed = (/** @type {string} */ code, /** @type {string} */ name) => new RegExp(`\\b${name}\\b`).test(code)
  expectCovered('settings', 'configuration', names, (name) => new RegExp(`\`${name}[\`.]`).test(rows))
  const inner = names.flatMap((name) => listInner(schema.properties[name]).map((each) => `${name} ${each}`))
  expectCovered('settings inside of settings', 'any page that names both', [...new Set(inner)], (pair) => {
    const [outer = '', name = ''] = pair.split(' ')
    return codes.some((code) => code && isNamed(code, outer) && isNamed(code, name))
  })
})

/** @param {any} schema @returns {string[]} */
function listInner(schema) {
  if (typeof schema !== 'object' || schema === null) return []
  const own = Object.keys(schema.properties ?? {})
  const deeper = [
    ...Object.values(schema.properties ?? {}),
    schema.items,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ]
  return [...own, ...deeper.flatMap(listInner)]
}

test('every command and every option is explained', async () => {
  const main = readFileSync(join(root, 'packages/server/src/cli/main.ts'), 'utf8')
  const names = [...main.matchAll(/^ {2}\['([\w-]+)', async/gm)].map(([, name = '']) => name)
  expectCovered('commands', 'reference/commands', names, (name) =>
    isAnchor('reference/commands', `countersign-${name}`),
  )
  const given = readFileSync(join(root, 'packages/server/src/cli/readArguments.ts'), 'utf8')
  const options = [...given.matchAll(/^ +'?([a-z-]+)'?: \{ type: '(?:string|boolean)'/gm)].map(([, name = '']) => name)
  const text = pageAt('reference/commands')?.text ?? ''
  expectCovered('options of commands', 'reference/commands', options, (name) => text.includes(`--${name}`))
})
