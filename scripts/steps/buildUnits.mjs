import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { buildSite } from './buildSite.mjs'
import { bundleServer, bundles } from './bundleServer.mjs'
import { hashFiles, listFiles } from './hashFiles.mjs'
import { prepareDatabase } from './prepareDatabase.mjs'
import { root } from './root.mjs'
import { runQuietly } from './run/runQuietly.mjs'
import { runStep } from './run/runStep.mjs'
import { StepError } from './run/StepError.mjs'
import { units } from './units.mjs'

/** @typedef {import('./units.mjs').Unit} Unit */
/** @typedef {Record<string, { inputs: string, outputs: string }>} Stamps */

const stampFile = join(root, 'node_modules/.cache/countersign/build.json')
/** Files that other units add to the server's output. */
const guests = units.filter(({ tool }) => tool !== 'tsc').map(({ output }) => output)

/**
 * Builds the units whose sources, or whose upstream's sources, differ from those of the last build, and those whose
 * output is gone or was touched.
 *
 * @param {{ force?: boolean }} [options]
 * @returns {Promise<string[]>} the names of what was built
 */
export async function buildUnits({ force = false } = {}) {
  const stamps = readStamps()
  const inputs = hashInputs()
  const stale = units.filter(
    (unit) =>
      force || stamps[unit.name]?.inputs !== inputs[unit.name] || stamps[unit.name]?.outputs !== hashOutput(unit),
  )
  const packages = stale.filter((unit) => unit.tool === 'tsc')
  if (packages.length > 0) {
    await runStep(`Compiling ${packages.map((unit) => unit.name).join(', ')}`, () => compile(packages, stamps, inputs))
    if (packages.some(({ name }) => name === 'server')) {
      await runStep('Bundling the server', bundleServer)
      await runStep('Preparing an empty database', prepareDatabase)
    }
  }
  for (const unit of stale.filter((candidate) => candidate.tool === 'vite')) {
    await runStep('Bundling the web application', () => bundle(unit))
  }
  for (const unit of stale.filter((candidate) => candidate.tool === 'site')) {
    await runStep('Writing the documentation site', () => buildSite(unit.output))
  }
  for (const unit of stale) stamps[unit.name] = { inputs: inputs[unit.name] ?? '', outputs: hashOutput(unit) }
  if (stale.length > 0) {
    mkdirSync(dirname(stampFile), { recursive: true })
    writeFileSync(stampFile, JSON.stringify(stamps, null, 2))
  }
  return stale.map((unit) => unit.name)
}

/** @returns {Stamps} */
function readStamps() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch {
    return {}
  }
}

/** @returns {Record<string, string>} by unit */
function hashInputs() {
  // The lockfile stands for the versions of the compiler and the bundler.
  const shared = hashFiles([join(root, 'tsconfig.base.json'), join(root, 'package-lock.json')])
  /** @type {Record<string, string>} */
  const own = {}
  /** @type {Record<string, string>} */
  const inputs = {}
  for (const { name, folder, sources = [], upstream } of units) {
    // The pictures of the screens are made of what is built, and few of them are shown.
    const isOther = (/** @type {string} */ path) => /[\\/](node_modules|dist|screens)$|\.test\.\w+$/.test(path)
    own[name] = hashFiles([folder, ...sources], isOther)
    inputs[name] = createHash('sha256')
      .update([shared, own[name], ...upstream.map((other) => own[other])].join())
      .digest('hex')
  }
  return inputs
}

/**
 * Names and sizes tell whether something is missing or was replaced; reading it all would slow every start.
 *
 * @param {Unit} unit
 */
function hashOutput(unit) {
  if (!existsSync(join(unit.output, unit.entry))) return 'missing'
  const isOther = (/** @type {string} */ path) =>
    (guests.includes(path) && unit.output !== path) || path.endsWith('.tsbuildinfo')
  const files = listFiles(unit.output, isOther)
  return createHash('sha256')
    .update(files.map((file) => `${relative(root, file)} ${statSync(file).size}`).join('\n'))
    .digest('hex')
}

/**
 * @param {Unit[]} packages
 * @param {Stamps} stamps
 * @param {Record<string, string>} inputs
 */
async function compile(packages, stamps, inputs) {
  // tsc trusts its own record of the sources and does not look whether the output is still there.
  for (const unit of packages) {
    if (stamps[unit.name]?.inputs === inputs[unit.name]) rmSync(join(unit.output, '.tsbuildinfo'), { force: true })
  }
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { code, output } = await runQuietly(process.execPath, [tsc, '-b', ...packages.map((unit) => unit.folder)])
  if (code !== 0) throw new StepError(`Compiling failed.\n\n${output}`, remedy)
  for (const unit of packages) removeOrphans(unit)
}

/** @param {Unit} unit */
async function bundle(unit) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { code, output } = await runQuietly(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: unit.folder,
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (code !== 0) throw new StepError(`Bundling the web application failed.\n\n${output}`, remedy)
}

const remedy = `In a fresh clone this should not happen. If you changed the code, fix what is named above.
If you did not, remove the build and try again: npm run build -- --force`

/**
 * A renamed or deleted source leaves its output behind, which would then be published.
 *
 * @param {Unit} unit
 */
function removeOrphans(unit) {
  for (const file of listFiles(unit.output, (path) => guests.includes(path) || bundles.includes(path))) {
    const name = relative(unit.output, file)
    const stem = name.replace(/(\.d\.ts|\.js)(\.map)?$/, '')
    if (stem === name) continue
    const source = join(unit.folder, 'src', stem)
    if (!['.ts', '.tsx'].some((extension) => existsSync(source + extension))) rmSync(file)
  }
}
