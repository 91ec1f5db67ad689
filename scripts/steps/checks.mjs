import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildApps } from './buildApps.mjs'
import { buildUnits } from './buildUnits.mjs'
import { installDependencies } from './installDependencies.mjs'
import { listFaults } from './listFaults.mjs'
import { ensureChromium } from './programs/ensureChromium.mjs'
import { ensurePostgres } from './programs/ensurePostgres.mjs'
import { npmCommand } from './programs/npmCommand.mjs'
import { root } from './root.mjs'
import { runAloud } from './run/runAloud.mjs'
import { runQuietly } from './run/runQuietly.mjs'

/**
 * @typedef {import('./listFaults.mjs').Fault} Fault
 * @typedef {{ passed: number, failed: number, note?: string, faults?: Fault[] }} Outcome
    `faults` names the failed tests
 * @typedef {'quick' | 'ci' | 'all'} Extent how much runs: of `npm test`, `npm run test:ci` and `npm run test:all`
 * @typedef {{ name: string, title: string, from?: Extent, run: (extent: Extent) => Promise<Outcome> }} Check
    `from` is the smallest extent that has it; all have it where it is absent
 */

const bin = (/** @type {string} */ path) => join(root, 'node_modules', path)
const report = (/** @type {string} */ name) => bin(`.cache/countersign/${name}.json`)
const packages = ['protocol', 'react', 'moralis', 'server'].map((name) => join(root, 'packages', name))

/** @type {Check[]} in the order in which they run: the quick ones first, each separately */
export const checks = [
  {
    name: 'lint',
    title: 'Lint, format and import directions (Biome)',
    run: () => node(bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'),
  },
  {
    name: 'prose',
    title: 'Plain English (words of the glossary, retext)',
    run: () => node(join(root, 'scripts/prose.mjs')),
  },
  {
    name: 'build',
    title: 'Build (tsc, Vite)',
    async run() {
      await buildUnits()
      return { passed: 1, failed: 0 }
    },
  },
  {
    name: 'types',
    title: 'Types, tests and scripts included (tsc)',
    run: () => node(bin('typescript/bin/tsc'), '-b'),
  },
  {
    name: 'unit',
    title: 'Unit and server tests (Vitest)',
    async run(extent) {
      await ensurePostgres()
      return runVitest(extent)
    },
  },
  {
    name: 'dead-code',
    title: 'Unused files, exports and dependencies (knip)',
    from: 'ci',
    run: () => node(bin('knip/bin/knip.js')),
  },
  {
    name: 'packages',
    title: 'Packages as published (publint, attw)',
    from: 'ci',
    async run() {
      const outcomes = await Promise.all(
        packages.map(async (folder) => {
          const attw = [bin('@arethetypeswrong/cli/dist/index.js'), '--pack', folder, '--profile', 'esm-only']
          return [
            await nodeQuietly(`publint ${folder}`, bin('publint/src/cli.js'), folder, '--strict'),
            await nodeQuietly(`attw ${folder}`, ...attw),
          ]
        }),
      )
      return sum(outcomes.flat())
    },
  },
  {
    name: 'size',
    title: 'Sizes (size-limit)',
    from: 'ci',
    run: () => node(join(root, 'scripts/size.mjs')),
  },
  {
    name: 'e2e',
    title: 'Browser tests (Playwright)',
    async run(extent) {
      // Pages for people and developers. Those of e2e/apps, which take minutes to install, are in `clients`.
      const folders = ['account/', 'application/', 'chain/']
      if (extent === 'all') await buildApps()
      return runPlaywright('playwright', extent, extent === 'all' ? [...folders, 'clients/'] : folders)
    },
  },
  {
    name: 'e2e-console',
    title: 'Browser tests of the operator’s console (Playwright)',
    from: 'ci',
    run: (extent) => runPlaywright('playwright-console', extent, ['console/']),
  },
  {
    name: 'clients',
    title: 'Major versions of the parse client (Node)',
    from: 'ci',
    async run() {
      const file = report('clients')
      rmSync(file, { force: true })
      const folder = join(root, 'e2e/parseClients')
      await installDependencies(folder)
      await buildUnits()
      const outcome = await node(join(folder, 'run.mjs'), '--output', file)
      return count(outcome, file, (json) => json)
    },
  },
  {
    name: 'lighthouse',
    title: 'Lighthouse, each category at least 95',
    from: 'all',
    async run() {
      const file = report('lighthouse')
      rmSync(file, { force: true })
      const env = { ...process.env, CHROMIUM_PATH: await ensureChromium() }
      await buildUnits()
      const parameters = [join(root, 'e2e/lighthouse.mjs'), '--output', file]
      const outcome = toOutcome(await runAloud(process.execPath, parameters, { env }))
      return count(outcome, file, (json) => json)
    },
  },
]

/** @param {Extent} extent */
async function runVitest(extent) {
  const file = report('vitest')
  const unhandled = report('vitest-unhandled')
  for (const path of [file, unhandled]) rmSync(path, { force: true })
  const reporter = join(root, 'scripts/steps/unhandledReporter.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, `--reporter=${reporter}`]
  const projects = extent === 'quick' ? ['--project=!react-18'] : []
  const parameters = [bin('vitest/vitest.mjs'), 'run', ...reporters, ...projects]
  const env = { ...npmCommand([]).env, COUNTERSIGN_TESTS: extent, COUNTERSIGN_UNHANDLED: unhandled }
  const ended = toOutcome(await runAloud(process.execPath, parameters, { env }))
  return count(ended, file, (json) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    faults: [...listFaults(json), ...(existsSync(unhandled) ? JSON.parse(readFileSync(unhandled, 'utf8')) : [])],
  }))
}

/**
 * @param {string} name
 * @param {Extent} extent
 * @param {string[]} folders
 */
async function runPlaywright(name, extent, folders) {
  const file = report(name)
  rmSync(file, { force: true })
  const chromium = await ensureChromium()
  await ensurePostgres()
  await buildUnits()
  const env = { ...process.env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  // Main tasks of each screen; then its failures, too; then every test, and on a phone.
  const chosen = {
    quick: ['--project=desktop', '--grep', '@main'],
    ci: ['--project=desktop', '--grep', '@both'],
    all: [],
  }[extent]
  const parameters = [bin('@playwright/test/cli.js'), 'test', '--reporter=list,json', ...chosen, ...folders]
  const ended = toOutcome(await runAloud(process.execPath, parameters, { cwd: join(root, 'e2e'), env }))
  return count(ended, file, ({ stats: { expected, unexpected }, suites }) => ({
    passed: expected,
    failed: unexpected,
    faults: listFaults({ suites }),
  }))
}

/** @param {string[]} parameters */
async function node(...parameters) {
  // Some of these tools start npm themselves.
  const { env } = npmCommand([])
  return toOutcome(await runAloud(process.execPath, parameters, { env }))
}

/**
 * @param {string} title
 * @param {string[]} parameters
 */
async function nodeQuietly(title, ...parameters) {
  const { env } = npmCommand([])
  const { code, output } = await runQuietly(process.execPath, parameters, { env })
  console.log(code === 0 ? `✓ ${title}` : `✗ ${title}\n${output}`)
  return toOutcome(code)
}

/** @param {number} code */
function toOutcome(code) {
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, note: `exit code ${code}` }
}

/** @param {Outcome[]} outcomes */
function sum(outcomes) {
  return {
    passed: outcomes.reduce((total, { passed }) => total + passed, 0),
    failed: outcomes.reduce((total, { failed }) => total + failed, 0),
  }
}

/**
 * Counts single tests instead of the run as a whole; a run that broke down without a failed test still failed.
 *
 * @param {Outcome} outcome
 * @param {string} file
 * @param {(json: any) => Outcome} read
 * @returns {Outcome}
 */
function count(outcome, file, read) {
  if (!existsSync(file)) return { passed: 0, failed: 1, note: outcome.note ?? 'it left no report' }
  const counted = read(JSON.parse(readFileSync(file, 'utf8')))
  if (outcome.failed > 0 && counted.failed === 0) return { ...counted, failed: 1, note: outcome.note }
  if (counted.passed + counted.failed === 0) return { passed: 0, failed: 1, note: 'no test ran' }
  return counted
}
