import { join } from 'node:path'
import { root } from './root.mjs'

/**
 * @typedef {object} Unit a part that is built separately
 * @property {string} name
 * @property {string} folder
 * @property {string[]} upstream units whose output this one reads
 * @property {'tsc' | 'vite' | 'site'} tool
 * @property {string[]} [sources] besides its folder
 * @property {string} output
 * @property {string} entry the file without which the output is no output
 */

/** @type {Unit[]} in the order in which they are built */
export const units = [
  createPackage('protocol', [], 'index.js'),
  createPackage('react', ['protocol'], 'index.js'),
  createPackage('moralis', ['protocol', 'react'], 'index.js'),
  createPackage('server', ['protocol'], 'bundle/main.js'),
  {
    name: 'web',
    folder: join(root, 'apps/web'),
    upstream: ['protocol', 'react'],
    tool: 'vite',
    output: join(root, 'packages/server/dist/web'),
    entry: 'index.html',
  },
  {
    name: 'docs',
    folder: join(root, 'docs'),
    sources: [join(root, 'scripts/site'), join(root, 'scripts/steps/buildSite.mjs')],
    upstream: ['protocol', 'react', 'moralis', 'server'],
    tool: 'site',
    output: join(root, 'packages/server/dist/docs'),
    entry: 'index.html',
  },
]

/**
 * @param {string} name
 * @param {string[]} upstream
 * @param {string} entry
 * @returns {Unit}
 */
function createPackage(name, upstream, entry) {
  const folder = join(root, 'packages', name)
  return { name, folder, upstream, tool: 'tsc', output: join(folder, 'dist'), entry }
}
