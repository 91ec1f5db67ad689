import { rmSync } from 'node:fs'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { startPostgres } from './postgres.mjs'
import { buildUnits } from './steps/buildUnits.mjs'
import { queryPostgres } from './steps/servers/queryPostgres.mjs'
import { sendMixedLoad } from './steps/servers/sendMixedLoad.mjs'
import { startBouncer } from './steps/servers/startBouncer.mjs'
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

test.each(['session', 'transaction'])(
  'a pooler in %s mode: no request of a mixed load fails',
  async (mode) => {
    const postgres = await startPostgres()
    closing.push(postgres.stop)
    const { url, stop } = await startBouncer(postgres.port, /** @type {'session' | 'transaction'} */ (mode))
    closing.push(stop)
    const server = await startServer({
      DATABASE_URL: url,
      COUNTERSIGN_DIRECT_DATABASE_URL: mode === 'transaction' ? postgres.url : '',
    })
    expect(server.output()).toContain('is ready')
    const { counts, errors } = await sendMixedLoad(server.call, { clients: 16, rounds: 12 })
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
  const { url, stop } = await startBouncer(postgres.port, 'transaction')
  closing.push(stop)
  const server = await startServer({ DATABASE_URL: url })
  expect(server.child.exitCode).not.toBeNull()
  expect(server.output()).toContain('COUNTERSIGN_DIRECT_DATABASE_URL')
}, 300_000)
