import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
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

test('issue 34, row 12: two workers serve, share one metrics page, and SIGTERM ends both', async () => {
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

test('issue 34, row 12: kill -9 of a worker loses nothing acknowledged, and another takes its place', async () => {
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

test('issue 34, row 12: SIGHUP replaces every worker, and no request fails', async () => {
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

test('the embedded database refuses several workers', async () => {
  const server = await startCountersign({ DATABASE_URL: '' }, ['--workers', '2'])
  closing.push(server.stop)
  expect(server.child.exitCode).toBe(1)
  expect(server.output()).toContain('workers cannot be 2')
  expect(server.output()).not.toMatch(/\n\s+at /)
}, 120_000)
