import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../../scripts/steps/programs/findFreePort.mjs'

const apps = fileURLToPath(new URL('../../apps/', import.meta.url))

/**
 * Starts one of the built Next.js applications, with a server behind it if it wants one.
 *
 * @param {string} name
 * @param {(url: string) => Promise<import('./startServer.mjs').Server & { env?: Record<string, string> }>} [startBehind]
 *   gets the address of the pages
 * @returns {Promise<import('./startServer.mjs').Server>}
 */
export async function startNext(name, startBehind) {
  const folder = `${apps}.cache/next/${name}`
  if (!existsSync(`${folder}/.next`)) throw new Error('The Next.js pages are not built: npm test -- --only e2e')
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const behind = await startBehind?.(url)
  const next = [`${apps}node_modules/next/dist/bin/next`, 'start', '--port', String(port)]
  const child = spawn(process.execPath, next, {
    cwd: folder,
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      ...(behind && { COUNTERSIGN_URL: behind.url, ...behind.env }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000)
    })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await Promise.all([exited, behind?.stop()])
    clearTimeout(timer)
  }
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline && child.exitCode === null) {
    if (output.includes('Ready in')) return { url, stop }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await stop()
  throw new Error(`Next.js did not become ready.\n${output}`)
}
