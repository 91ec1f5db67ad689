import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../../scripts/steps/programs/findFreePort.mjs'

const installed = fileURLToPath(new URL('../../dashboard/node_modules', import.meta.url))
const entry = join(installed, 'parse-dashboard', 'bin', 'parse-dashboard')

/**
 * The public dashboard of parse-server as its own command starts it, for one server.
 *
 * @param {{ serverUrl: string, appId: string, masterKey: string }} server
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startDashboard({ serverUrl, appId, masterKey }) {
  if (!existsSync(entry)) throw new Error('parse-dashboard is not installed: npm run test:all -- --only e2e')
  const port = await findFreePort()
  const folder = await mkdtemp(join(tmpdir(), 'countersign-dashboard-'))
  const config = join(folder, 'config.json')
  const app = {
    appId,
    masterKey,
    serverURL: serverUrl,
    appName: 'App',
    enableSecurityChecks: true,
    supportedPushLocales: [],
  }
  await writeFile(config, JSON.stringify({ apps: [app] }))
  const parameters = [entry, '--config', config, '--host', '127.0.0.1', '--port', String(port)]
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000)
    })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  const url = `http://localhost:${port}`
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline && child.exitCode === null) {
    const ready = await fetch(url).catch(() => undefined)
    if (ready?.ok) return { url, stop }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error(`The dashboard did not become ready.\n${output}`)
}

/**
 * Reads the server as the operator.
 *
 * @param {{ serverUrl: string, appId: string, masterKey: string }} server
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function askAsOperator({ serverUrl, appId, masterKey }, method, path, body) {
  const headers = { 'X-Parse-Application-Id': appId, 'X-Parse-Master-Key': masterKey }
  const response = await fetch(`${serverUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return response.json()
}
