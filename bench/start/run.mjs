// node bench/start/run.mjs [--rounds 3] [--idle 10]
// How long `countersign start` takes until it says that it is ready, what processor time that needs, and the memory that
// the idle server holds after so many seconds: on a new data folder, on the same again, and on PostgreSQL (fsync on).
// Needs `npm run build`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../scripts/postgres.mjs'
import { findFreePort } from '../../scripts/steps/programs/findFreePort.mjs'
import { serverEntry } from '../competitors/countersign.mjs'
import { median } from '../measure/median.mjs'
import { createDatabases } from '../process/createDatabases.mjs'
import { stopProcess } from '../process/stopProcess.mjs'

/** Targets for a quiet machine of two cores, in seconds. */
const aims = { 'embedded, first': 4, 'embedded, again': 2, PostgreSQL: 1 }

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, idle: { type: 'string', default: '10' } },
})

/** @param {Record<string, string>} env */
async function start(env) {
  const port = await findFreePort()
  const began = performance.now()
  const child = spawn(process.execPath, [serverEntry, 'start'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      COUNTERSIGN_WORKERS: '1',
      HOST: '127.0.0.1',
      PORT: String(port),
      COUNTERSIGN_DRAIN_TIME: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  try {
    await new Promise((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
        if (output.includes('is ready.')) resolve(undefined)
      })
      child.once('exit', () => reject(new Error(`The server ended while it started:\n${output}`)))
    })
    const seconds = (performance.now() - began) / 1000
    const times = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
    // In hundredths of a second: the kernel's USER_HZ.
    const cpuSeconds = (Number(times[11]) + Number(times[12])) / 100
    await sleep(Number(values.idle) * 1000)
    const [, rss = '0'] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8')) ?? []
    return { seconds, cpuSeconds, idleMb: Number(rss) / 1024 }
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await Promise.race([ended, sleep(20_000).then(() => stopProcess(child))])
  }
}

const folder = await mkdtemp(join(tmpdir(), 'countersign-bench-start-'))
const postgres = await startPostgres({ settings: { fsync: 'on', synchronous_commit: 'on' } })
try {
  const { urls } = await createDatabases(postgres.url, ['start'])
  const server = { DATABASE_URL: urls.get('start') ?? '', COUNTERSIGN_DATA: join(folder, 'server') }
  await start(server)
  /** @type {Record<string, Awaited<ReturnType<typeof start>>[]>} */
  const measured = { 'embedded, first': [], 'embedded, again': [], PostgreSQL: [] }
  for (let round = 0; round < Number(values.rounds); round++) {
    const embedded = { COUNTERSIGN_DATA: join(folder, String(round)) }
    measured['embedded, first']?.push(await start(embedded))
    measured['embedded, again']?.push(await start(embedded))
    measured.PostgreSQL?.push(await start(server))
  }
  console.log('| start | s | aim | CPU s | idle MB |\n|---|---:|---:|---:|---:|')
  for (const [name, runs] of Object.entries(measured)) {
    const of = (/** @type {'seconds' | 'cpuSeconds' | 'idleMb'} */ key) => median(runs.map((run) => run[key]))
    const aim = aims[/** @type {keyof typeof aims} */ (name)]
    console.log(
      `| ${name} | ${of('seconds').toFixed(2)} | ${aim} | ${of('cpuSeconds').toFixed(2)} | ${Math.round(of('idleMb'))} |`,
    )
  }
  console.log(`\nload ${loadavg().map((load) => load.toFixed(1))}`)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
