// node bench/import/run.mjs [--objects 1000000]
// Imports so many small objects into PostgreSQL (fsync on) with the built server's `countersign import`, as a process of
// its own. Prints objects a second, the processor time of both sides and the peak of its resident memory. On a busy machine
// read the processor times: the two sides work at the same time. Needs `npm run build`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../scripts/postgres.mjs'
import { root } from '../../scripts/steps/root.mjs'
import { readClusterCpu } from '../measure/readClusterCpu.mjs'
import { createDatabases } from '../process/createDatabases.mjs'

const { values } = parseArgs({ options: { objects: { type: 'string', default: '1000000' } } })
const objects = Number(values.objects)
const folder = await mkdtemp(join(tmpdir(), 'countersign-bench-import-'))
const settings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', shared_buffers: '256MB' }
const postgres = await startPostgres({ settings: { ...settings, max_wal_size: '2GB' } })
try {
  const file = createWriteStream(join(folder, 'Score.json'))
  file.write('{"results":[')
  for (let index = 0; index < objects; index++) {
    const score = {
      objectId: `s${index.toString(36).padStart(9, '0')}`,
      createdAt: new Date(1_500_000_000_000 + index * 1000).toISOString(),
      updatedAt: new Date(1_500_000_000_000 + index * 1000).toISOString(),
      points: index % 1000,
      player: `player ${index % 10_000}`,
      level: { __type: 'Pointer', className: 'Level', objectId: `level${index % 50}` },
      isCheat: index % 7 === 0,
      ACL: { '*': { read: true }, [`user${index % 10_000}`]: { read: true, write: true } },
    }
    if (!file.write(`${index > 0 ? ',\n' : ''}${JSON.stringify(score)}`)) await once(file, 'drain')
  }
  file.end(']}')
  await finished(file)
  const { size } = await stat(join(folder, 'Score.json'))
  const { urls } = await createDatabases(postgres.url, ['import'])
  const before = readClusterCpu(postgres.pid())
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [join(root, 'packages/server/bin/countersign.js'), 'import', 'parse-export', folder],
    {
      env: { PATH: process.env.PATH, DATABASE_URL: urls.get('import'), COUNTERSIGN_DATA: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  let peak = 0
  let cpuSeconds = 0
  const samples = []
  const watching = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    const [, high = '0'] = /VmHWM:\s+(\d+)/.exec(status) ?? []
    const [, now = '0'] = /VmRSS:\s+(\d+)/.exec(status) ?? []
    peak = Math.max(peak, Number(high))
    samples.push(Math.round(Number(now) / 1024))
    const times = (await readFile(`/proc/${child.pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ')
    // In hundredths of a second: the kernel's USER_HZ.
    if (times) cpuSeconds = (Number(times[11]) + Number(times[12])) / 100
  }, 250)
  const [code] = await once(child, 'exit')
  clearInterval(watching)
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(`${output}\n`)
  const figures = {
    code,
    objects,
    megabytes: Math.round(size / 1e6),
    seconds: Number(seconds.toFixed(1)),
    objectsPerSecond: Math.round(objects / seconds),
    cpuSeconds,
    databaseCpuSeconds: Number(((readClusterCpu(postgres.pid()) - before) / 1e9).toFixed(1)),
    peakRssMegabytes: Math.round(peak / 1024),
    rssEverySecond: samples.filter((_, index) => index % 4 === 0),
    load: loadavg().map((load) => Number(load.toFixed(1))),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
