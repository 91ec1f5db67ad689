import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../scripts/steps/programs/findFreePort.mjs'
import { stopProcess } from './stopProcess.mjs'

const preload = new URL('./preload.mjs', import.meta.url).href

/**
 * Starts one competitor as a process of its own and waits until it is ready.
 *
 * @param {{ signal: AbortSignal, folder: string, onExit(stop: () => Promise<void>): void }} context
 * @param {import('../types.d.ts').Competitor} competitor
 * @param {string} databaseUrl
 * @param {{ url: string, chainId: number }} [chain]
 */
export async function startCompetitor({ signal, folder, onExit }, competitor, databaseUrl, chain) {
  const port = await findFreePort()
  const dataFolder = join(folder, competitor.name)
  mkdirSync(dataFolder, { recursive: true })
  const { file, args = [], env } = competitor.program({ port, databaseUrl, dataFolder, chain })
  const child = spawn(process.execPath, ['--import', preload, file, ...args], {
    cwd: dataFolder,
    // The caller's own settings must not leak into a competitor.
    env: { PATH: process.env.PATH, HOME: dataFolder, TZ: 'UTC', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C is for the benchmark, which then stops everything in order.
    detached: true,
  })
  onExit(() => stopProcess(child))
  let output = ''
  const keep = (/** @type {Buffer} */ chunk) => {
    output = (output + chunk).slice(-4000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)

  const deadline = Date.now() + 60_000
  while (!(await isReady(`http://127.0.0.1:${port}${competitor.readyPath}`))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${competitor.name} ended while it started:\n${output}`)
    if (Date.now() > deadline) throw new Error(`${competitor.name} was not ready within a minute:\n${output}`)
    await sleep(50, undefined, { signal })
  }
  return {
    name: competitor.name,
    wire: competitor.wire,
    target: { port, mount: competitor.mount, applicationId: competitor.applicationId, databaseUrl },
    pid: child.pid ?? 0,
    child,
    output: () => output,
  }
}

/** @param {string} url */
async function isReady(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
