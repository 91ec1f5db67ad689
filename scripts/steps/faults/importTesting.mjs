import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from '../root.mjs'

/**
 * A module of the server's tests, which are TypeScript.
 *
 * @param {string} name
 * @returns {Promise<any>}
 */
export async function importTesting(name) {
  const entry = join(root, 'packages/server/src/testing', name)
  return (await runnerImport(entry, { configFile: false, logLevel: 'warn' })).module
}
