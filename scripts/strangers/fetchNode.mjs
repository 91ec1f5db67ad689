import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createPackage, npm } from './install.mjs'

/**
 * The newest Node.js with long-term support that the registry has.
 *
 * @param {import('../packagesInstall.mjs').Stranger} stranger
 */
export async function fetchNewestLts(stranger) {
  for (const major of newerNodes.toReversed()) {
    const node = await fetchNode(stranger, major)
    if (node && execFileSync(node, ['-p', 'process.release.lts ?? ""'], { encoding: 'utf8' }).trim()) return node
  }
  return undefined
}

/** The versions after the one that the repository is developed on, the newest last. */
export const newerNodes = ['22', '24', '26']

/**
 * Another Node.js, as npm has it for Linux.
 *
 * @param {Omit<import('../packagesInstall.mjs').Stranger, 'node'>} stranger
 * @param {string} major
 * @returns {Promise<string | undefined>} its file
 */
export async function fetchNode({ folder, env, say }, major) {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return undefined
  const home = join(folder, `node-${major}`)
  mkdirSync(home)
  createPackage(home)
  const name = `node-linux-${process.arch}`
  try {
    await npm({ folder: home, env }, ['install', `${name}@${major}`])
  } catch (error) {
    if (!String(error).includes('ETARGET')) throw error
    say(`Node.js ${major} was not tried: the registry does not have it.`)
    return undefined
  }
  const node = join(home, 'node_modules', name, 'bin/node')
  say(`Node.js ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()} is fetched`)
  return node
}
