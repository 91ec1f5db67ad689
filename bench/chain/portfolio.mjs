// node bench/chain/portfolio.mjs [--tokens 1000] [--times 20] What an address with so many tokens has, in one response:
// its time, the server's processor time and what the node was asked, for a server that was just started, for one that
// knows the tokens and sees a new block, and at the same block.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../scripts/postgres.mjs'
import { findFreePort } from '../../scripts/steps/programs/findFreePort.mjs'
import { root } from '../../scripts/steps/root.mjs'
import { serverEntry } from '../competitors/countersign.mjs'
import { median } from '../measure/median.mjs'
import { readProcessCpu } from '../measure/readProcessCpu.mjs'
import { readThreads } from '../measure/readThreads.mjs'
import { stopProcess } from '../process/stopProcess.mjs'

const { values } = parseArgs({
  options: { tokens: { type: 'string', default: '1000' }, times: { type: 'string', default: '20' } },
})
const tokens = Number(values.tokens)
/** Milliseconds for which a head is believed, unless set otherwise. */
const headCacheTtl = 1_000
const folder = mkdtempSync(join(tmpdir(), 'countersign-portfolio-'))
const postgres = await startPostgres({ settings: { fsync: 'on' } })
const program = join(root, 'packages/server/src/testing/chain/serveTokens.ts')
const node = spawn(process.execPath, ['--import', 'jiti/register', program, values.tokens], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const hear = async () => JSON.parse(String((await once(node.stdout, 'data'))[0]))
/** @type {import('node:child_process').ChildProcess | undefined} */
let server

try {
  const { url, chainId, holder, multicall } = await hear()
  const port = await findFreePort()
  const index = { mode: 'all', startBlock: 0, pollInterval: 500 }
  const settings = { id: chainId, rpcUrls: [url], contracts: { multicall }, requestsPerSecond: 10_000, index }
  const write = (/** @type {object} */ chain) =>
    writeFileSync(
      join(folder, 'countersign.config.json'),
      JSON.stringify({ chains: [chain], chainApi: { requestsPerMinute: 0 } }),
    )
  const start = async (/** @type {object} */ chain) => {
    write(chain)
    const child = spawn(process.execPath, [serverEntry, 'start'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        PORT: String(port),
        DATABASE_URL: postgres.url,
        COUNTERSIGN_APP_ID: 'bench',
        COUNTERSIGN_LOG_LEVEL: 'warn',
        COUNTERSIGN_DATA: folder,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    server = child
    await until(async () => (await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined))?.ok === true)
    return child
  }
  const get = async (/** @type {string} */ path) => {
    const response = await fetch(`http://127.0.0.1:${port}/server${path}`, {
      headers: { 'X-Parse-Application-Id': 'bench' },
    })
    assert.equal(response.status, 200)
    return response.text()
  }
  const isIndexed = async () => {
    const { head, index: state } = JSON.parse(await get(`/chain/${chainId}`))
    return state?.status === 'SYNCED' && state.block >= head.number
  }
  const asked = () => {
    node.kill('SIGUSR2')
    return hear()
  }

  /** @param {string} name @param {number} pid */
  const measure = async (name, pid) => {
    const before = await asked()
    const [cpu, nodeCpu] = [readThreads(pid).all, readProcessCpu(Number(node.pid))]
    const began = performance.now()
    const text = await get(`/portfolio/${holder}`)
    const ms = performance.now() - began
    const cpuMs = (readThreads(pid).all - cpu) / 1e6
    const nodeCpuMs = readProcessCpu(Number(node.pid)) - nodeCpu
    const after = await asked()
    const [chain] = JSON.parse(text).chains
    assert.equal(chain.tokens.length, tokens, text.slice(0, 500))
    for (const { symbol, decimals, balance } of chain.tokens) {
      const number = Number(symbol.slice(1))
      assert.deepEqual([decimals, balance], [number % 19, String(number + 1)])
    }
    const calls = Object.fromEntries(
      Object.entries(after.calls)
        .map(([method, count]) => [method, Number(count) - (before.calls[method] ?? 0)])
        .filter(([, count]) => Number(count) > 0),
    )
    return {
      name,
      ms,
      cpuMs,
      nodeCpuMs,
      requests: after.requests - before.requests,
      calls,
      bytes: text.length,
      source: chain.source,
    }
  }

  const indexing = await start(settings)
  await until(isIndexed)
  await stopProcess(indexing)
  // From here on only the measured requests reach the node: the index stays unchanged.
  const quiet = { ...settings, index: { ...index, pollInterval: 600_000 } }
  const pid = Number((await start(quiet)).pid)
  await until(isIndexed)
  await sleep(1000)

  const rows = [middle([await measure('cold: the first answer of a server', pid)])]
  const again = []
  for (let time = 0; time < Number(values.times); time++) again.push(await measure('warm: at the same block', pid))
  const moved = []
  for (let time = 0; time < Math.min(5, Number(values.times)); time++) {
    node.kill('SIGHUP')
    await hear()
    await sleep(headCacheTtl + 100)
    moved.push(await measure('a new block', pid))
  }
  rows.push(middle(moved), middle(again))
  console.log(JSON.stringify({ tokens, load: loadavg()[0], rows }, null, 2))
} finally {
  if (server) await stopProcess(server)
  node.kill()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Medians of the times; what was asked is as in the last.
 *
 * @template {{ ms: number, cpuMs: number, nodeCpuMs: number }} Row
 * @param {Row[]} rows
 */
function middle(rows) {
  const last = /** @type {Row} */ (rows.at(-1))
  const of = (/** @type {'ms' | 'cpuMs' | 'nodeCpuMs'} */ key) => Number(median(rows.map((row) => row[key])).toFixed(1))
  return { ...last, ms: of('ms'), cpuMs: of('cpuMs'), nodeCpuMs: of('nodeCpuMs') }
}

/** @param {() => Promise<boolean>} check */
async function until(check) {
  const deadline = performance.now() + 120_000
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error('It was not ready in time.')
    if (server && server.exitCode !== null) throw new Error('The server ended.')
    await sleep(50)
  }
}
