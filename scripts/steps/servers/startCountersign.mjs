import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../programs/findFreePort.mjs'
import { root } from '../root.mjs'
import { until } from './until.mjs'

export const keys = { appId: 'scripts', masterKey: 'master-key-of-the-test' }

/** @typedef {{ status: number, body: any, headers?: Headers, pid?: string | null }} Answer */

/**
 * Starts the built server as an operator does, on a free port with a folder of its own. Resolves when it is ready, or
 * has given up.
 *
 * @param {Record<string, string>} environment
 * @param {string[]} [flags]
 * @param {{ checkout?: string, program?: string, preload?: string }} [options] another built checkout to start it from;
 *   a file of the package that starts it; a module that is loaded before it
 */
export async function startCountersign(environment, flags = [], options = {}) {
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'countersign-server-'))
  const { checkout = root, program = 'bin/countersign.js', preload } = options
  const loaded = preload ? ['--import', preload] : []
  const child = spawn(process.execPath, [...loaded, join(checkout, 'packages/server', program), 'start', ...flags], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      COUNTERSIGN_DATA: folder,
      COUNTERSIGN_APP_ID: keys.appId,
      COUNTERSIGN_MASTER_KEY: keys.masterKey,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  await until(() => child.exitCode !== null || output.includes('is ready'))
  const api = `http://127.0.0.1:${port}/server`

  /**
   * Returns status 0 if there is no response.
   *
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @param {Record<string, string>} [headers]
   * @returns {Promise<Answer>}
   */
  const call = async (method, path, body, headers = {}) => {
    try {
      const response = await fetch(api + path, {
        method,
        headers: {
          'X-Parse-Application-Id': keys.appId,
          'X-Parse-Master-Key': keys.masterKey,
          'Content-Type': 'application/json',
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, body: await response.json() }
    } catch (error) {
      return { status: 0, body: { error: String(error instanceof Error ? (error.cause ?? error) : error) } }
    }
  }
  return { child, port, api, call, exited, stop, output: () => output }
}
