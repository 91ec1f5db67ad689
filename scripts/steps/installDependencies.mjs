import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmCommand } from './programs/npmCommand.mjs'
import { root } from './root.mjs'
import { runQuietly } from './run/runQuietly.mjs'
import { runStep } from './run/runStep.mjs'
import { StepError } from './run/StepError.mjs'

/**
 * Installs what package-lock.json names, unless that is what is there already.
 *
 * @param {string} [folder]
 */
export async function installDependencies(folder = root) {
  const lock = readFileSync(join(folder, 'package-lock.json'))
  const stamp = join(folder, 'node_modules', '.countersign-install')
  const wanted = createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  if (!isInstalled(folder, lock)) await runStep('Installing dependencies', () => install(folder))
  writeFileSync(stamp, wanted)
}

/**
 * Returns true if a plain `npm install` has already updated node_modules to the lockfile.
 *
 * @param {string} folder
 * @param {Buffer} lock
 */
function isInstalled(folder, lock) {
  const record = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages
  return Object.entries(JSON.parse(lock.toString()).packages).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') || entry.optional || entry.peer) return true
    const there = installed[path]
    return (
      there?.version === entry.version && there?.integrity === entry.integrity && there?.resolved === entry.resolved
    )
  })
}

/** @param {string} folder */
async function install(folder) {
  // A script of a dependency could do anything on this machine, and none of ours needs one.
  const scripts = folder === root ? ['--ignore-scripts'] : []
  let { code, output } = await npm(folder, 'ci', ...scripts)
  // npm ci refuses a lockfile that lacks the optional packages of other platforms, which happens when it was written
  // from a registry without them. A plain install takes the same versions; --no-save leaves the lockfile as it is.
  if (code !== 0 && output.includes('EUSAGE')) {
    console.log('npm ci refuses package-lock.json as incomplete; using npm install --no-save')
    const second = await npm(folder, 'install', '--no-save', ...scripts)
    code = second.code
    output = second.output
  }
  if (code === 0) return
  throw new StepError(
    `Installing dependencies failed (npm, exit code ${code}).\n\n${output}`,
    [
      'Often one of these helps; then run the command again:',
      '- no network or a proxy in between: npm ping',
      '- a half-written cache: npm cache verify',
      '- package.json was edited by hand: npm install',
    ].join('\n'),
  )
}

/**
 * @param {string} folder
 * @param {string[]} words
 */
function npm(folder, ...words) {
  // NODE_ENV=production would leave out the tools that build and test.
  const flags = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const { command, parameters, env } = npmCommand([...words, ...flags])
  return runQuietly(command, parameters, { cwd: folder, env })
}
