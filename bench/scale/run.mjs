// node bench/scale/run.mjs [--seconds 20] [--connections 32] [--workers 1,2] [--quick]
// Replays one mix of requests (70 % reads by id, 20 % queries of 20 objects, 10 % creates) on a server with one worker and
// with two, in turns, on PostgreSQL with fsync. Prints requests a second, latencies, and the processor time of a request
// in all server processes. Load, server and database share the machine: with as many cores as workers, two workers gain
// little, and the processor time says what more cores would bring. Needs `npm run build`.

import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../scripts/postgres.mjs'
import { keys, startCountersign } from '../../scripts/steps/servers/startCountersign.mjs'
import { percentile } from '../measure/percentile.mjs'
import { readClusterCpu } from '../measure/readClusterCpu.mjs'
import { readProcessCpu } from '../measure/readProcessCpu.mjs'
import { createDatabases } from '../process/createDatabases.mjs'

const text = /** @type {const} */ ({ type: 'string' })
const { values } = parseArgs({
  options: { seconds: text, connections: text, workers: text, quick: { type: 'boolean' } },
})
const seconds = Number(values.seconds ?? (values.quick ? 5 : 20))
const connections = Number(values.connections ?? 32)
const counts = (values.workers ?? '1,2').split(',').map(Number)
const rounds = values.quick ? 2 : 3
const objects = 2_000

const settings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', shared_buffers: '256MB' }
const postgres = await startPostgres({ settings })
const { urls } = await createDatabases(
  postgres.url,
  counts.map((count) => `workers${count}`),
)
console.log(`load before: ${loadavg()[0]?.toFixed(1)}, ${connections} connections, ${rounds} rounds of ${seconds} s\n`)
/** @type {Map<number, Round[]>} */
const found = new Map(counts.map((count) => [count, []]))
const servers = new Map()
try {
  for (const count of counts) {
    const server = await startCountersign({
      DATABASE_URL: urls.get(`workers${count}`) ?? '',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      COUNTERSIGN_LOG_LEVEL: 'warn',
      COUNTERSIGN_WORKERS: String(count),
    })
    if (!server.output().includes('is ready')) throw new Error(server.output())
    servers.set(count, { server, ids: await fill(server) })
  }
  for (let round = 0; round < rounds; round++)
    for (const count of counts) found.get(count)?.push(await measure(servers.get(count)))
} finally {
  for (const { server } of servers.values()) await server.stop()
  await postgres.stop()
}
console.log(
  '| workers | requests a second | p50 ms | p99 ms | server CPU µs | database CPU µs |\n|---:|---:|---:|---:|---:|---:|',
)
for (const [count, all] of found) {
  const middle = (/** @type {keyof Round} */ name) =>
    percentile(
      all.map((round) => round[name]).sort((a, b) => a - b),
      0.5,
    ) ?? 0
  console.log(
    `| ${count} | ${Math.round(middle('rps'))} | ${middle('p50').toFixed(1)} | ${middle('p99').toFixed(1)} | ${Math.round(middle('cpu'))} | ${Math.round(middle('databaseCpu'))} |`,
  )
}

/**
 * @typedef {Awaited<ReturnType<typeof startCountersign>>} Server
 * @typedef {{ rps: number, p50: number, p99: number, cpu: number, databaseCpu: number }} Round
 */

/** Objects of the class that the mix reads. @param {Server} server */
async function fill(server) {
  /** @type {string[]} */
  const ids = []
  for (let from = 0; from < objects; from += 50) {
    const requests = Array.from({ length: 50 }, (_, index) => ({
      method: 'POST',
      path: '/server/classes/Score',
      body: { group: (from + index) % 100, points: from + index, player: `player ${index}` },
    }))
    const { body } = await server.call('POST', '/batch', { requests })
    for (const { success } of body) ids.push(success.objectId)
  }
  const index = { className: 'Score', indexes: { byGroup: { group: 1 } } }
  const { status, body } = await server.call('PUT', '/schemas/Score', index)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return ids
}

/** @param {{ server: Server, ids: string[] }} parts @returns {Promise<Round>} */
async function measure({ server, ids }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times = /** @type {number[]} */ ([])
  const end = performance.now() + 1000 * seconds
  const [cpu, databaseCpu] = [readServerCpu(server), readClusterCpu(postgres.pid())]
  await Promise.all(
    Array.from({ length: connections }, async (_, place) => {
      for (let count = place; performance.now() < end; count++) {
        const began = performance.now()
        await send(agent, server, describe(count, ids))
        times.push(performance.now() - began)
      }
    }),
  )
  agent.destroy()
  times.sort((a, b) => a - b)
  return {
    rps: times.length / seconds,
    p50: percentile(times, 0.5) ?? 0,
    p99: percentile(times, 0.99) ?? 0,
    cpu: (1000 * (readServerCpu(server) - cpu)) / times.length,
    databaseCpu: (readClusterCpu(postgres.pid()) - databaseCpu) / 1000 / times.length,
  }
}

/** @param {number} count @param {string[]} ids @returns {{ method: string, path: string, body?: object }} */
function describe(count, ids) {
  if (count % 10 === 9) return { method: 'POST', path: '/classes/Made', body: { points: count, player: 'one' } }
  if (count % 10 < 7) return { method: 'GET', path: `/classes/Score/${ids[(count * 7919) % ids.length]}` }
  return { method: 'GET', path: `/classes/Score?where=${encodeURIComponent(`{"group":${count % 100}}`)}&limit=20` }
}

/** Processor time (ms) of a server and its workers. @param {Server} server */
function readServerCpu({ child: { pid = 0 } }) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return [pid, ...children].reduce((sum, each) => sum + readProcessCpu(each), 0)
}

/** @param {Agent} agent @param {Server} server @param {ReturnType<typeof describe>} asked @returns {Promise<void>} */
function send(agent, server, { method, path, body }) {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Parse-Application-Id': keys.appId, 'X-Parse-Master-Key': keys.masterKey }
    const sent = request(`${server.api}${path}`, { agent, method, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve()
        else reject(new Error(`${method} ${path}: ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}
