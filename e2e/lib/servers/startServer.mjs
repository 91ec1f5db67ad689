import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../../scripts/steps/programs/findFreePort.mjs'

const entry = fileURLToPath(new URL('../../../packages/server/bin/countersign.js', import.meta.url))
// A process that lives for seconds gains nothing from V8's background optimization, and loses time waiting for it.
const flags = ['--liftoff-only', '--no-opt', '--single-threaded-gc']
const clock = new URL('./movableClock.mjs', import.meta.url).href

/** @typedef {{ url: string, stop: () => Promise<void>, moveClock?: (milliseconds: number) => Promise<void>, said?: () => string }} Server */

/**
 * A server of its own on a free port, with an empty data folder that goes when it stops.
 *
 * @param {Record<string, unknown> & { publicUrl?: string }} [options] of the config file
 * @returns {Promise<Server>}
 */
export async function startServer(options = {}) {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const data = await mkdtemp(join(tmpdir(), 'countersign-e2e-'))
  if (process.env.COUNTERSIGN_SEED) await cp(process.env.COUNTERSIGN_SEED, join(data, 'data'), { recursive: true })
  const config = join(data, 'countersign.config.json')
  // The machine of the tests may be slow; the tests of an overloaded server are the server's own.
  await writeFile(config, JSON.stringify({ overloadDelay: 0, ...options }))
  const child = spawn(process.execPath, [...flags, '--import', clock, entry, 'start'], {
    cwd: data,
    env: {
      ...process.env,
      PORT: String(port),
      COUNTERSIGN_DATA: join(data, 'data'),
      COUNTERSIGN_PUBLIC_URL: options.publicUrl ?? url,
      COUNTERSIGN_CONFIG: config,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000)
    })
  const exited = new Promise((resolve) => child.once('exit', resolve))

  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(timer)
    await rm(data, { recursive: true, force: true })
  }

  const moveClock = async (/** @type {number} */ milliseconds) => {
    const moved = once(child, 'message')
    child.send(milliseconds)
    await moved
  }

  const deadline = Date.now() + 170_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) break
    const ready = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    if (ready?.ok) return { url, stop, moveClock, said: () => output }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error(`The server did not become ready.\n${output}`)
}
