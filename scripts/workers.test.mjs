import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { startPostgres } from './postgres.mjs'
import { buildUnits } from './steps/buildUnits.mjs'
import { queryPostgres } from './steps/servers/queryPostgres.mjs'
import { startCountersign } from './steps/servers/startCountersign.mjs'
import { until } from './steps/servers/until.mjs'

/** @type {(() => unknown)[]} */
let closing = []

beforeAll(() => buildUnits(), 300_000)

afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
})

const token = 'a-token-for-the-metrics'

/** @param {string[]} flags */
async function start(flags) {
  const postgres = await startPostgres()
  closing.push(postgres.stop)
  const server = await startCountersign({ DATABASE_URL: postgres.url, COUNTERSIGN_METRICS_TOKEN: token }, flags)
  closing.push(server.stop)
  expect(server.output()).toContain('is ready')
  return { postgres, server }
}

/** @param {number | undefined} pid */
function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Writers that repeat what was not acknowledged.
 *
 * @param {Awaited<ReturnType<typeof startCountersign>>} server
 */
function startLoad(server) {
  /** @type {Set<string>} */
  const acknowledged = new Set()
  /** @type {string[]} */
  const failures = []
  let running = true
  const work = Array.from({ length: 8 }, async (_, writer) => {
    for (let count = 0; running; count++) {
      const name = `${writer}-${count}`
      const id = { 'X-Parse-Request-Id': randomUUID() }
      for (;;) {
        const { status, body } = await server.call('POST', '/classes/Load', { name }, id)
        if (status === 201) break
        failures.push(`${status} ${JSON.stringify(body)}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      acknowledged.add(name)
    }
  })
  return {
    acknowledged,
    failures,
    async check() {
      running = false
      await Promise.all(work)
      const { body } = await server.call('GET', '/classes/Load?limit=100000')
      const names = body.results.map((/** @type {any} */ { name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect([...acknowledged].filter((name) => !names.includes(name))).toEqual([])
    },
  }
}

test('two workers serve, share one metrics page, and SIGTERM ends both', async () => {
  const { postgres, server } = await start(['--workers', '2'])
  expect(server.output().match(/to become its administrator/g)).toHaveLength(1)
  const workers = childrenOf(server.child.pid)
  expect(workers).toHaveLength(2)
  for (let count = 0; count < 40; count++) {
    // A new connection each time, so that it may reach either.
    const { status } = await server.call('POST', '/classes/Load', { name: 'x' }, { Connection: 'close' })
    expect(status).toBe(201)
  }
  for (const number of [1, 2]) expect(server.output()).toMatch(new RegExp(`"worker":${number},[^\\n]*"request"`))
  const page = await fetch(`${new URL(server.api).origin}/metrics`, { headers: { Authorization: `Bearer ${token}` } })
  const text = await page.text()
  const counted = [...text.matchAll(/^countersign_request[^{\n]*_count\{[^\n]*\} (\d+)/gm)]
  expect(text).toMatch(/^countersign_info\{[^\n]*\} 1$/m)
  expect(counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThanOrEqual(40)
  server.child.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(workers.filter(isAlive)).toEqual([])
  const connections = "select count(*) from pg_stat_activity where application_name = 'countersign'"
  await until(async () => (await queryPostgres(postgres.url, connections)) === '0')
}, 300_000)

test('kill -9 of a worker loses nothing acknowledged, and another takes its place', async () => {
  const { server } = await start(['--workers', '2'])
  const load = startLoad(server)
  await until(() => load.acknowledged.size > 50)
  const [killed] = childrenOf(server.child.pid)
  process.kill(/** @type {number} */ (killed), 'SIGKILL')
  const before = load.acknowledged.size
  await until(() => load.acknowledged.size > before + 50)
  await until(() => childrenOf(server.child.pid).length === 2)
  expect(childrenOf(server.child.pid)).not.toContain(killed)
  await load.check()
  // Only requests that the killed process had in hand.
  expect(load.failures.length).toBeLessThanOrEqual(8)
}, 300_000)

test('SIGHUP replaces every worker, and no request fails', async () => {
  const { server } = await start(['--workers', '2'])
  const old = childrenOf(server.child.pid)
  const load = startLoad(server)
  await until(() => load.acknowledged.size > 50)
  server.child.kill('SIGHUP')
  await until(() => server.output().includes('all workers were restarted'))
  const now = childrenOf(server.child.pid)
  expect(now).toHaveLength(2)
  expect(now.filter((pid) => old.includes(pid))).toEqual([])
  await load.check()
  expect(load.failures).toEqual([])
}, 300_000)

test('SIGHUP while the workers start waits for them', async () => {
  const postgres = await startPostgres()
  closing.push(postgres.stop)
  const preload = join(mkdtempSync(join(tmpdir(), 'countersign-')), 'hangUp.mjs')
  writeFileSync(
    preload,
    `import cluster from 'node:cluster'
    if (cluster.isPrimary) cluster.once('fork', () => setTimeout(() => process.kill(process.pid, 'SIGHUP'), 100))`,
  )
  const server = await startCountersign({ DATABASE_URL: postgres.url }, ['--workers', '2'], { preload })
  closing.push(server.stop)
  await until(() => server.child.exitCode !== null || server.output().includes('all workers were restarted'))
  expect(server.child.exitCode).toBe(null)
  expect(server.output().match(/is ready/g)).toHaveLength(1)
  expect(childrenOf(server.child.pid)).toHaveLength(2)
  expect((await server.call('POST', '/classes/Load', { name: 'x' })).status).toBe(201)
}, 300_000)

const most = 60

/** A server with a limit for requests of this machine. */
async function startLimited(/** @type {string} */ databaseUrl, /** @type {string[]} */ flags) {
  const rule = { requestPath: '/classes/Limited', requestTimeWindow: 300_000, requestCount: most }
  const file = join(mkdtempSync(join(tmpdir(), 'countersign-')), 'countersign.config.mjs')
  writeFileSync(file, `export default ${JSON.stringify({ rateLimit: [{ ...rule, includeInternalRequests: true }] })}`)
  const server = await startCountersign({ DATABASE_URL: databaseUrl, COUNTERSIGN_CONFIG: file }, flags)
  closing.push(server.stop)
  expect(server.output()).toContain('is ready')
  return server
}

/** Requests that are allowed, each on a connection of its own. */
async function hammer(/** @type {Awaited<ReturnType<typeof startCountersign>>[]} */ servers, count = 4 * most) {
  /** @type {{ [status: number]: number }} */
  const statuses = {}
  for (let sent = 0; sent < count; sent++) {
    const server = /** @type {(typeof servers)[0]} */ (servers[sent % servers.length])
    const { status } = await server.call('GET', '/classes/Limited', undefined, { Connection: 'close' })
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return statuses
}

test('two workers share a rate limit, and one log', async () => {
  const postgres = await startPostgres()
  closing.push(postgres.stop)
  const server = await startLimited(postgres.url, ['--workers', '2'])
  const { 200: allowed = 0, 429: refused = 0 } = await hammer([server])
  expect(allowed + refused).toBe(4 * most)
  expect(allowed).toBeLessThanOrEqual(most)
  expect(allowed).toBeGreaterThanOrEqual(0.9 * most)
  const { body } = await server.call('GET', '/scriptlog?n=1000')
  const workers = body.map((/** @type {any} */ { details }) => details.worker)
  expect(new Set(workers)).toEqual(new Set([1, 2]))
  const times = body.map((/** @type {any} */ { timestamp }) => timestamp)
  expect(times).toEqual([...times].sort().reverse())
}, 300_000)

test('two servers on one database share a rate limit', async () => {
  const postgres = await startPostgres()
  closing.push(postgres.stop)
  const servers = [await startLimited(postgres.url, []), await startLimited(postgres.url, [])]
  const { 200: allowed = 0, 429: refused = 0 } = await hammer(servers)
  expect(allowed + refused).toBe(4 * most)
  expect(allowed).toBeLessThanOrEqual(most)
  expect(allowed).toBeGreaterThanOrEqual(0.9 * most)
}, 300_000)

test('in production on PostgreSQL there is a worker for each core, within 52 connections', async () => {
  const postgres = await startPostgres()
  closing.push(postgres.stop)
  const server = await startCountersign({ DATABASE_URL: postgres.url, NODE_ENV: 'production', HOST: '127.0.0.1' })
  closing.push(server.stop)
  expect(server.output()).toContain('is ready')
  const cores = Math.min(4, availableParallelism())
  expect(childrenOf(server.child.pid)).toHaveLength(cores > 1 ? cores : 0)
  await Promise.all(Array.from({ length: 200 }, () => server.call('POST', '/classes/Load', { name: 'x' })))
  const connections = "select count(*) from pg_stat_activity where application_name = 'countersign'"
  expect(Number(await queryPostgres(postgres.url, connections))).toBeLessThanOrEqual(52)
}, 300_000)

test('the embedded database refuses several workers', async () => {
  const server = await startCountersign({ DATABASE_URL: '' }, ['--workers', '2'])
  closing.push(server.stop)
  expect(server.child.exitCode).toBe(1)
  expect(server.output()).toContain('workers cannot be 2')
  expect(server.output()).not.toMatch(/\n\s+at /)
}, 120_000)
