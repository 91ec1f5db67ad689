// node bench/chain/run.mjs [--blocks 5000] [--logs 20] [--logTimes] [--concurrency 3]
// Indexes a synthetic chain into PostgreSQL (fsync on) with the built server, and prints what it took as one line of JSON.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.mjs'
import { findFreePort } from '../../scripts/steps/findFreePort.mjs'
import { serverEntry } from '../contestants/countersign.mjs'
import { readClusterCpu } from '../measure/readClusterCpu.mjs'
import { readRss } from '../measure/readRss.mjs'
import { readThreads } from '../measure/readThreads.mjs'
import { stopProcess } from '../process/stopProcess.mjs'

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '5000' },
    logs: { type: 'string', default: '20' },
    concurrency: { type: 'string', default: '3' },
    logTimes: { type: 'boolean', default: false },
  },
})
const longest = 10 * 60_000
const settings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', shared_buffers: '256MB' }
const folder = mkdtempSync(join(tmpdir(), 'countersign-chain-'))
const postgres = await startPostgres({ settings: { ...settings, max_wal_size: '2GB' } })
const shape = ['--blocks', values.blocks, '--logs', values.logs, ...(values.logTimes ? ['--logTimes'] : [])]
const node = spawn(process.execPath, [fileURLToPath(new URL('./syntheticNode.mjs', import.meta.url)), ...shape])
const client = new pg.Client(postgres.url)
/** @type {import('node:child_process').ChildProcess | undefined} */
let server

try {
  const { url, chainId } = JSON.parse(String((await once(node.stdout, 'data'))[0]))
  await client.connect()
  const index = { mode: 'all', concurrency: Number(values.concurrency), pollInterval: 100 }
  const chain = { id: chainId, rpcUrls: [url], requestsPerSecond: 10_000, batchSize: 100, index }
  writeFileSync(join(folder, 'countersign.config.json'), JSON.stringify({ chains: [chain] }))
  const [load] = loadavg()
  const cluster = readClusterCpu(postgres.pid())
  const began = performance.now()
  server = spawn(process.execPath, [serverEntry, 'start'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PORT: String(await findFreePort()),
      DATABASE_URL: postgres.url,
      COUNTERSIGN_LOG_LEVEL: 'warn',
      COUNTERSIGN_DATA: folder,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const first = await until(async () => (await ask('select 1 from countersign.chain_work limit 1')).length > 0)
  const done = await until(async () => {
    const [state] = await ask(`select tip >= head and planned is not null and not exists (
      select from countersign.chain_work where next <= last) as done from countersign.chain_state`)
    return state?.done === true
  })
  const pid = Number(server.pid)
  const [{ count }] = await ask('select count(*) as count from "Transfer"')
  const seconds = (done - first) / 1000
  console.log(
    JSON.stringify({
      logs: Number(count),
      seconds,
      secondsWithStart: (done - began) / 1000,
      logsPerSecond: Math.round(Number(count) / seconds),
      serverCpuSeconds: readThreads(pid).all / 1e9,
      databaseCpuSeconds: (readClusterCpu(postgres.pid()) - cluster) / 1e9,
      rssMb: Math.round(readRss(pid)),
      loadBefore: load,
    }),
  )
} finally {
  if (server) await stopProcess(server)
  await client.end()
  node.kill()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** @param {string} text @returns {Promise<any[]>} none while the tables are not there yet */
async function ask(text) {
  try {
    return (await client.query(text)).rows
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code === '42P01') return []
    throw error
  }
}

/** @param {() => Promise<boolean>} check @returns {Promise<number>} when it was so */
async function until(check) {
  const deadline = performance.now() + longest
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error('The chain was not indexed in time.')
    if (server && server.exitCode !== null) throw new Error('The server ended.')
    await sleep(20)
  }
  return performance.now()
}
