import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../steps/root.mjs'
import { runQuietly } from '../steps/run/runQuietly.mjs'

/**
 * The samples of a page, without the indent that a list gives them.
 *
 * @param {string} page
 * @returns {{ language: string, code: string }[]}
 */
export function listSamples(page) {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', language = '', code = '']) => ({
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

/**
 * The first sample of a page that has these words.
 *
 * @param {string} page
 * @param {string} words
 */
export function findSample(page, words) {
  const found = listSamples(page).find(({ code }) => code.includes(words))
  assert.ok(found, `${page} has no sample with ${words}`)
  return found.code
}

/**
 * Runs lines as a person would type them.
 *
 * @param {string} script
 * @param {{ folder: string, env: NodeJS.ProcessEnv }} place
 */
export async function shell(script, { folder, env }) {
  const { code, output } = await runQuietly('bash', ['-c', `set -e\n${script}`], { cwd: folder, env })
  assert.equal(code, 0, `${script}\n${output}`)
  return output
}

/**
 * Where `npm` and `npx` ask our registry and run on this Node.js. npx keeps what it fetched before under the same name and
 * version, so everything but the downloads is kept apart.
 *
 * @param {Pick<import('../packagesInstall.mjs').Stranger, 'env'>} stranger
 * @param {string} folder
 * @param {string} node
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function createEnvironment({ env }, folder, node = process.execPath) {
  const { output } = await runQuietly('npm', ['config', 'get', 'cache'], { cwd: folder, env })
  const downloads = join(output.split('\n').at(-1) ?? '', '_cacache')
  const cache = join(folder, 'npm-cache')
  mkdirSync(cache)
  if (existsSync(downloads)) symlinkSync(downloads, join(cache, '_cacache'))
  return { ...env, PATH: `${dirname(node)}:${env.PATH}`, npm_config_cache: cache, NODE_OPTIONS: '' }
}
