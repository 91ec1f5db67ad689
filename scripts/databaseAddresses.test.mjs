import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { startPostgres } from './postgres.mjs'
import { buildUnits } from './steps/buildUnits.mjs'
import { findFreePort } from './steps/programs/findFreePort.mjs'
import { installSystemPackage } from './steps/programs/installSystemPackage.mjs'
import { queryPostgres } from './steps/servers/queryPostgres.mjs'
import { startCountersign } from './steps/servers/startCountersign.mjs'
import { startStandby } from './steps/servers/startStandby.mjs'
import { until } from './steps/servers/until.mjs'

/** @type {(() => unknown)[]} */
let closing = []

beforeAll(() => buildUnits(), 300_000)

afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
})

/** @param {Record<string, string>} environment */
async function startServer(environment) {
  const server = await startCountersign(environment)
  closing.push(server.stop)
  return server
}

test('several hosts: the primary is used wherever it is named, and a promoted standby after it', async () => {
  const primary = await startPostgres({ settings: { wal_level: 'replica', fsync: 'on', synchronous_commit: 'on' } })
  let isStopped = false
  closing.push(() => (isStopped ? undefined : primary.stop()))
  const standby = await startStandby(primary)
  closing.push(async () => {
    await standby.stop()
    rmSync(standby.dir, { recursive: true, force: true })
  })
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`
  const { call } = await startServer({
    DATABASE_URL: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`,
  })
  const made = []
  for (let number = 0; number < 20; number++) {
    const { status, body } = await call('POST', '/classes/Move', { number })
    expect(status).toBe(201)
    made.push(body.objectId)
  }
  await until(async () => (await queryPostgres(standby.url, 'select count(*) from "Move"')) === '20')
  isStopped = true
  await primary.stop()
  await queryPostgres(standby.url, 'select pg_promote()')
  const began = Date.now()
  const refused = new Set()
  await until(async () => {
    const { status, body } = await call('POST', '/classes/Move', { number: 20 })
    if (status !== 201) refused.add(status)
    else made.push(body.objectId)
    return status === 201
  })
  // Early requests got a 503.
  expect([...refused].filter((status) => status !== 503)).toEqual([])
  expect(Date.now() - began).toBeLessThan(30_000)
  const { body } = await call('GET', '/classes/Move?limit=1000')
  expect(new Set(body.results.map((/** @type {any} */ row) => row.objectId))).toEqual(new Set(made))
}, 300_000)

/**
 * @param {number} target
 * @param {'session' | 'transaction'} mode
 */
async function startBouncer(target, mode) {
  if (spawnSync('pgbouncer', ['--version']).status !== 0) {
    const obstacle = await installSystemPackage('pgbouncer')
    if (obstacle) throw new Error(`These tests need PgBouncer: ${obstacle}`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'cs-bouncer-'))
  chmodSync(folder, 0o777)
  const port = await findFreePort()
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
postgres = host=127.0.0.1 port=${target} dbname=postgres user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 20
max_client_conn = 200
logfile = ${join(folder, 'log')}
pidfile = ${join(folder, 'pid')}
`,
  )
  const parameters = [...(process.getuid?.() === 0 ? ['-u', 'postgres'] : []), join(folder, 'pgbouncer.ini')]
  const child = spawn('pgbouncer', parameters, { stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  closing.push(async () => {
    child.kill('SIGINT')
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true })
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await until(() => queryPostgres(url, 'select 1').catch(() => false))
  return url
}

/** @param {Awaited<ReturnType<typeof startCountersign>>['call']} call */
async function mix(call) {
  /** @type {Map<number, number>} */
  const counts = new Map()
  /** @type {string[]} */
  const errors = []
  const take = (/** @type {{ status: number, body: any }} */ { status, body }) => {
    counts.set(status, (counts.get(status) ?? 0) + 1)
    if (status >= 500 || status === 0) errors.push(JSON.stringify(body))
    return body
  }
  await Promise.all(
    Array.from({ length: 16 }, async (_, worker) => {
      const guest = { 'X-Parse-Master-Key': '' }
      const { sessionToken } = take(
        await call('POST', '/users', { username: `user${worker}`, password: 'a long password' }, guest),
      )
      const own = { ...guest, 'X-Parse-Session-Token': sessionToken }
      for (let round = 0; round < 12; round++) {
        const { objectId } = take(await call('POST', '/classes/Score', { worker, round }, own))
        take(await call('GET', `/classes/Score/${objectId}`, undefined, own))
        const where = encodeURIComponent(JSON.stringify({ worker, round: { $lte: round } }))
        take(await call('GET', `/classes/Score?where=${where}&order=-createdAt&limit=20`, undefined, own))
        take(await call('PUT', `/classes/Score/${objectId}`, { round: { __op: 'Increment', amount: 1 } }, own))
        take(await call('GET', '/users/me', undefined, own))
        const requests = [1, 2].map((part) => ({ method: 'POST', path: '/server/classes/Part', body: { part } }))
        take(await call('POST', '/batch', { requests, transaction: true }, own))
        take(await call('GET', '/classes/Score?count=1&limit=0', undefined, own))
      }
    }),
  )
  return { counts, errors }
}

test.each(['session', 'transaction'])(
  'a pooler in %s mode: no request of a mixed load fails',
  async (mode) => {
    const postgres = await startPostgres()
    closing.push(postgres.stop)
    const url = await startBouncer(postgres.port, /** @type {'session' | 'transaction'} */ (mode))
    const server = await startServer({
      DATABASE_URL: url,
      COUNTERSIGN_DIRECT_DATABASE_URL: mode === 'transaction' ? postgres.url : '',
    })
    expect(server.output()).toContain('is ready')
    const { counts, errors } = await mix(server.call)
    expect(errors).toEqual([])
    expect([...counts.keys()].toSorted()).toEqual([200, 201])
    // A limit that was set for one statement stays with no connection of the pooler.
    if (mode === 'transaction') {
      for (let time = 0; time < 20; time++) expect(await queryPostgres(url, 'show statement_timeout')).toBe('0')
    }
  },
  300_000,
)

test('a pooler in transaction mode is refused at start where PostgreSQL itself is not named', async () => {
  const postgres = await startPostgres()
  closing.push(postgres.stop)
  const server = await startServer({ DATABASE_URL: await startBouncer(postgres.port, 'transaction') })
  expect(server.child.exitCode).not.toBeNull()
  expect(server.output()).toContain('COUNTERSIGN_DIRECT_DATABASE_URL')
}, 300_000)
