import assert from 'node:assert/strict'
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmCommand } from '../steps/programs/npmCommand.mjs'
import { root } from '../steps/root.mjs'
import { runQuietly } from '../steps/run/runQuietly.mjs'

/**
 * Runs npm as a person would in that folder. It must not warn: of engines, of install scripts, of packages that nobody
 * maintains.
 *
 * @param {Pick<import('../packagesInstall.mjs').Stranger, 'folder' | 'env'>} stranger
 * @param {string[]} words
 * @param {string} [node] another Node.js
 */
export async function npm({ folder, env }, words, node) {
  const found = npmCommand(words, { ...process.env, ...env })
  const path = node ? { PATH: `${join(node, '..')}:${env.PATH}` } : {}
  const command = node && found.command === process.execPath ? node : found.command
  const { code, output } = await runQuietly(command, found.parameters, {
    cwd: folder,
    env: { ...env, ...path },
  })
  assert.equal(code, 0, `npm ${words.join(' ')} failed:\n${output}`)
  const warnings = output.split('\n').filter((line) => /EBADENGINE|install-scripts|ERESOLVE|deprecated/.test(line))
  assert.deepEqual(warnings, [], `npm ${words.join(' ')} warns:\n${output}`)
  return output
}

/**
 * Has npm take the version of viem that the repository uses, in an application that names none: a version of today may
 * depend on something that a mirror does not have yet.
 *
 * @param {string} folder
 */
export function holdViem(folder) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'packages/react/package.json'), 'utf8'))
  const file = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...manifest, overrides: { viem: devDependencies.viem } }, null, 2))
}

/** @param {string} folder */
export function createPackage(folder, fields = {}) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', ...fields }))
}

/**
 * Size of node_modules. Nothing of it may be a link into this repository.
 *
 * @param {string} folder
 */
export function measure(folder) {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  const names = Object.keys(lock.packages)
  for (const name of names) {
    assert.ok(!lock.packages[name].link, `${name} is a link`)
    if (existsSync(join(folder, name)))
      assert.ok(!realpathSync(join(folder, name)).startsWith(root), `${name} lies in the repository`)
  }
  const modules = join(folder, 'node_modules')
  const own = ['countersign', '@countersign'].map((name) => join(modules, name)).filter((path) => existsSync(path))
  return {
    names,
    packages: names.length,
    megabytes: weigh(modules) / 1e6,
    /** Megabytes of our own packages. */
    own: own.reduce((sum, path) => sum + weigh(path), 0) / 1e6,
  }
}

/**
 * Size of the files on a disk, which gives each of them whole blocks.
 *
 * @param {string} folder
 */
function weigh(folder) {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    bytes += entry.isDirectory() ? weigh(path) : Math.ceil(lstatSync(path).size / 4096) * 4096
  }
  return bytes
}
