import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('../measure/passwordCost.mjs', import.meta.url))

/**
 * @param {AbortSignal} signal
 * @param {number} seconds for each of the six measurements
 * @returns {Promise<Record<string, { hash: number, verify: number }>>}
 */
export async function readPasswordCost(signal, seconds) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(seconds)], {
    signal,
    timeout: 60_000,
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  })
  return JSON.parse(stdout)
}
