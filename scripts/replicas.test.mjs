import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres } from './postgres.mjs'
import { buildUnits } from './steps/buildUnits.mjs'
import { root } from './steps/root.mjs'
import { queryPostgres } from './steps/servers/queryPostgres.mjs'
import { startCountersign } from './steps/servers/startCountersign.mjs'
import { startStandby } from './steps/servers/startStandby.mjs'
import { until } from './steps/servers/until.mjs'

/** @typedef {Awaited<ReturnType<typeof startCountersign>>} Server */

/** Largest `maxStaleness` that the server grants, in seconds. */
const longest = 4
const guest = { 'X-Parse-Master-Key': '' }
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @type {(() => unknown)[]} */
const closing = []
/** @type {Awaited<ReturnType<typeof startPostgres>>} */
let primary
/** @type {Awaited<ReturnType<typeof startStandby>>} */
let standby
/** @type {Server} */
let server

beforeAll(async () => {
  await buildUnits()
  primary = await startPostgres({ settings: { wal_level: 'replica' } })
  closing.push(primary.stop)
  standby = await startStandby(primary, { max_standby_streaming_delay: '100ms', hot_standby_feedback: 'on' })
  closing.push(async () => {
    await standby.stop()
    rmSync(standby.dir, { recursive: true, force: true })
  })
  const folder = mkdtempSync(join(tmpdir(), 'cs-replicas-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ maxStaleness: longest }))
  server = await startCountersign({
    DATABASE_URL: primary.url,
    COUNTERSIGN_REPLICA_URL: standby.url,
    COUNTERSIGN_CONFIG: join(folder, 'config.json'),
    COUNTERSIGN_METRICS_TOKEN: 'token-of-the-metrics',
  })
  closing.push(server.stop)
  expect(server.output()).toContain('is ready')
  await create('Move', { name: 'first' })
  await create('Probe', { name: 'probe' })
  await settle()
}, 300_000)

afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** @param {string} className @param {object} fields */
async function create(className, fields) {
  const { status, body } = await server.call('POST', `/classes/${className}`, fields)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.objectId
}

/** @param {string} path @param {Record<string, string>} [headers] */
async function read(path, headers) {
  const { status, body, headers: sent } = await server.call('GET', path, undefined, headers)
  const [source, age] = (sent?.get('X-Countersign-Read-From') ?? '').split('; age=')
  return { status, body, source, age: age === undefined ? undefined : Number(age), names: namesOf(body) }
}

/** @param {{ results?: { name: string }[] }} body */
const namesOf = ({ results }) => (results ?? []).map(({ name }) => name).toSorted()

/** A statement on the replica, again if a change of the primary cancels it. @param {string} statement */
async function queryStandby(statement) {
  let result = ''
  await until(async () => {
    try {
      result = await queryPostgres(standby.url, statement)
      return true
    } catch (error) {
      if (!String(error).includes('conflict with recovery')) throw error
      return false
    }
  })
  return result
}

/** Waits until the replica serves queries again. */
async function settle() {
  await until(async () => (await read('/classes/Probe?maxStaleness=2')).source === 'replica')
}

/** @param {() => Promise<void>} work */
async function whilePaused(work) {
  await settle()
  await queryStandby('select pg_wal_replay_pause()')
  await until(async () => (await queryStandby('select pg_get_wal_replay_pause_state()')) === 'paused')
  try {
    await work()
  } finally {
    await queryStandby('select pg_wal_replay_resume()')
  }
}

/** @param {string} username */
async function signUp(username) {
  const { body } = await server.call('POST', '/users', { username, password: 'a long password' }, guest)
  return { objectId: body.objectId, headers: { ...guest, 'X-Parse-Session-Token': body.sessionToken } }
}

/** @param {string} name @param {string[]} users */
async function setRole(name, users) {
  const pointers = users.map((objectId) => ({ __type: 'Pointer', className: '_User', objectId }))
  const { body } = await server.call('GET', `/roles?where=${encodeURIComponent(JSON.stringify({ name }))}`)
  const [role] = body.results
  const { status } = role
    ? await server.call('PUT', `/roles/${role.objectId}`, { users: { __op: 'AddRelation', objects: pointers } })
    : await server.call('POST', '/roles', { name, ACL: {}, users: { __op: 'AddRelation', objects: pointers } })
  expect([200, 201]).toContain(status)
}

test('only a query that allows it is served by the replica, and its result is as old as allowed', async () => {
  await whilePaused(async () => {
    await create('Move', { name: 'second' })
    const fresh = await read('/classes/Move')
    expect([fresh.names, fresh.source]).toEqual([['first', 'second'], ''])
    const stale = await read('/classes/Move?maxStaleness=3&count=1')
    expect([stale.names, stale.source, stale.body.count]).toEqual([['first'], 'replica', 1])
    expect(stale.age).toBeLessThanOrEqual(3)
    const byHeader = await read('/classes/Move', { 'X-Countersign-Max-Staleness': '3' })
    expect([byHeader.names, byHeader.source]).toEqual([['first'], 'replica'])
    const none = await read('/classes/Move?maxStaleness=0')
    expect([none.names, none.source]).toEqual([['first', 'second'], 'primary'])
    await pause(1_500)
    const tooOld = await read('/classes/Move?maxStaleness=1')
    expect([tooOld.names, tooOld.source]).toEqual([['first', 'second'], 'primary'])
  })
  await until(async () => {
    const { names, source } = await read('/classes/Move?maxStaleness=2')
    return source === 'replica' && names.length === 2
  })
}, 120_000)

test('an idle primary does not make the replica look old', async () => {
  await settle()
  await pause(longest * 1_000)
  const { source, age } = await read('/classes/Move?maxStaleness=2')
  expect(source).toBe('replica')
  expect(age).toBeLessThanOrEqual(2)
}, 120_000)

test('a write is in every result that may be no older than the time since', async () => {
  await settle()
  for (let round = 0; round < 20; round++) {
    const objectId = await create('Own', { name: `own ${round}` })
    const wrote = performance.now()
    if (round % 2) await pause(60 * round)
    const { status } = await read(`/classes/Own/${objectId}?maxStaleness=${(performance.now() - wrote) / 1_000}`)
    expect(status).toBe(200)
  }
}, 120_000)

test('someone who lost access to an object reads it no longer than the limit, whatever they ask for', async () => {
  const reader = await signUp('revoked')
  const objectId = await create('Diary', { name: 'page', ACL: { [reader.objectId]: { read: true } } })
  await until(async () => (await read('/classes/Diary?maxStaleness=3', reader.headers)).source === 'replica')
  await whilePaused(async () => {
    expect((await server.call('PUT', `/classes/Diary/${objectId}`, { ACL: {} })).status).toBe(200)
    const revoked = performance.now()
    const late = []
    while (performance.now() - revoked < longest * 1_000 + 2_000) {
      const asked = performance.now() - revoked
      const { names } = await read('/classes/Diary?maxStaleness=1e300', reader.headers)
      if (names.length > 0 && asked > longest * 1_000) late.push(asked)
      await pause(100)
    }
    expect(late).toEqual([])
  })
}, 120_000)

test('rights come from the primary: a role that was taken away opens nothing', async () => {
  const member = await signUp('member')
  await setRole('Staff', [member.objectId])
  await create('Plan', { name: 'plan', ACL: { 'role:Staff': { read: true } } })
  await until(async () => (await read('/classes/Plan?maxStaleness=3', member.headers)).source === 'replica')
  await whilePaused(async () => {
    const { body } = await server.call('GET', '/roles?where={"name":"Staff"}')
    await server.call('PUT', `/roles/${body.results[0].objectId}`, {
      users: {
        __op: 'RemoveRelation',
        objects: [{ __type: 'Pointer', className: '_User', objectId: member.objectId }],
      },
    })
    const { names, source } = await read('/classes/Plan?maxStaleness=3', member.headers)
    expect([names, source]).toEqual([[], 'replica'])
  })
}, 120_000)

test('rights that were given later do not open what was deleted before', async () => {
  const joiner = await signUp('joiner')
  const secret = await create('Vault', { name: 'secret', ACL: { 'role:Board': { read: true } } })
  await create('Vault', { name: 'open', ACL: { '*': { read: true } } })
  await server.call('POST', '/schemas/Closed', {
    className: 'Closed',
    fields: { name: { type: 'String' } },
    classLevelPermissions: {},
  })
  const hidden = await create('Closed', { name: 'hidden' })
  await setRole('Board', [])
  await until(async () => (await read('/classes/Vault?maxStaleness=3', joiner.headers)).source === 'replica')
  await whilePaused(async () => {
    const before = await read('/classes/Vault?maxStaleness=3', joiner.headers)
    expect([before.names, before.source]).toEqual([['open'], 'replica'])
    await server.call('DELETE', `/classes/Vault/${secret}`)
    await setRole('Board', [joiner.objectId])
    expect((await read('/classes/Vault?maxStaleness=3', joiner.headers)).names).toEqual(['open'])
    await server.call('DELETE', `/classes/Closed/${hidden}`)
    const everyone = { '*': true }
    await server.call('PUT', '/schemas/Closed', {
      className: 'Closed',
      classLevelPermissions: { find: everyone, get: everyone, count: everyone },
    })
    const opened = await read('/classes/Closed?maxStaleness=3', guest)
    expect([opened.status, opened.names]).toEqual([200, []])
  })
}, 120_000)

test('a field that the replica does not have yet is read from the primary', async () => {
  await whilePaused(async () => {
    await create('Move', { name: 'third', level: 7 })
    const { names, status } = await read('/classes/Move?maxStaleness=4&where={"level":7}')
    expect([status, names]).toEqual([200, ['third']])
  })
  // The same without the server's knowledge: the statement fails on the replica.
  await settle()
  await queryPostgres(primary.url, 'alter table "Move" rename column "level" to "other"')
  await until(async () => (await queryStandby(`select count(*) from pg_attribute where attname = 'other'`)) === '1')
  await whilePaused(async () => {
    await queryPostgres(primary.url, 'alter table "Move" rename column "other" to "level"')
    const { names, status, source } = await read('/classes/Move?maxStaleness=4&where={"level":7}')
    expect([status, names, source]).toEqual([200, ['third'], 'primary'])
  })
}, 120_000)

test('sessions, users and roles are read from the primary, also where a condition asks them', async () => {
  await settle()
  const user = await signUp('own')
  for (const path of ['/users', '/sessions', '/roles', '/users/me']) {
    const { status, source } = await read(`${path}?maxStaleness=4`, user.headers)
    expect([path, status, source === 'replica']).toEqual([path, 200, false])
  }
  const where = encodeURIComponent(
    JSON.stringify({ owner: { $inQuery: { className: '_User', where: { username: 'own' } } } }),
  )
  await create('Move', { name: 'owned', owner: { __type: 'Pointer', className: '_User', objectId: user.objectId } })
  await settle()
  expect(await read(`/classes/Move?maxStaleness=4&where=${where}`)).toMatchObject({
    source: 'primary',
    names: ['owned'],
  })
  const included = await read('/classes/Move?maxStaleness=4&include=owner&where={"name":"owned"}')
  expect(included.source).toBe('replica')
  expect(included.body.results[0].owner.username).toBe('own')
}, 120_000)

test('a transaction reads from the primary', async () => {
  await settle()
  await whilePaused(async () => {
    const requests = [
      { method: 'POST', path: '/server/classes/Move', body: { name: 'inside' } },
      { method: 'GET', path: '/server/classes/Move?maxStaleness=4&where={"name":"inside"}' },
    ]
    const { body } = await server.call('POST', '/batch', { requests, transaction: true })
    expect(namesOf(body[1].success)).toEqual(['inside'])
  })
}, 120_000)

test.each(['abc', '-1', '-0.001', 'Infinity', 'NaN', '1e999', ' ', '[1]', '{"$gt":1}', 'true'])(
  'maxStaleness=%s is refused',
  async (value) => {
    for (const path of ['/classes/Move', '/classes/Move/x', '/aggregate/Move']) {
      const { status, body } = await read(`${path}?maxStaleness=${encodeURIComponent(value)}`)
      expect([path, status, body.code]).toEqual([path, 400, 102])
    }
    const byHeader = await read('/classes/Move', { 'X-Countersign-Max-Staleness': value })
    expect([byHeader.status, byHeader.body.code]).toEqual([400, 102])
  },
)

test('a query that a change of the primary cancels on the replica is served by the primary', async () => {
  const requests = Array.from({ length: 50 }, (_, row) => ({
    method: 'POST',
    path: '/server/classes/Row',
    body: { row },
  }))
  await server.call('POST', '/batch', { requests })
  await queryPostgres(
    primary.url,
    `insert into "Row" ("objectId", "createdAt", "updatedAt", "row")
     select 'r' || n, now(), now(), n from generate_series(1, 1500) n`,
  )
  await settle()
  const pipeline = [
    {
      $lookup: {
        from: 'Row',
        let: { own: '$row' },
        pipeline: [{ $match: { $expr: { $lt: ['$row', '$$own'] } } }, { $count: 'n' }],
        as: 'x',
      },
    },
    { $unwind: '$x' },
    { $group: { _id: null, total: { $sum: '$x.n' } } },
  ]
  const path = `/aggregate/Row?maxStaleness=4&pipeline=${encodeURIComponent(JSON.stringify(pipeline))}`
  // The lock waits for its replay until the query runs: a fast query would be done before a lock that comes after it.
  await queryStandby('select pg_wal_replay_pause()')
  await queryPostgres(primary.url, 'begin; lock table "Row" in access exclusive mode; commit')
  const answer = read(path)
  try {
    await until(
      async () =>
        (await queryStandby(
          `select count(*) from pg_stat_activity where application_name = 'countersign' and state = 'active' and query like '%Row%'`,
        )) !== '0',
    )
  } finally {
    await queryStandby('select pg_wal_replay_resume()')
  }
  const { status, source, body } = await answer
  expect([status, source, body.results?.length]).toEqual([200, 'primary', 1])
  const { body: log } = await server.call('GET', '/classes/Move?maxStaleness=4')
  expect(log.results.length).toBeGreaterThan(0)
  await settle()
  expect((await read('/aggregate/Move?maxStaleness=4&distinct=name')).source).toBe('replica')
}, 120_000)

test('metrics name the replica, its lag and its queries', async () => {
  await settle()
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`, {
    headers: { Authorization: 'Bearer token-of-the-metrics' },
  })
  const text = await response.text()
  const figureOf = (/** @type {string} */ name) =>
    Number(new RegExp(`^countersign_${name}{replica="127.0.0.1:${standby.port}"} (.*)$`, 'm').exec(text)?.[1])
  expect(figureOf('replica_up')).toBe(1)
  expect(figureOf('replica_lag_seconds')).toBeLessThan(3)
  expect(figureOf('replica_reads')).toBeGreaterThan(0)
  expect(figureOf('replica_failures')).toBeGreaterThan(0)
})

test('doctor knows the replica', async () => {
  await settle()
  const environment = { ...process.env, DATABASE_URL: primary.url, COUNTERSIGN_REPLICA_URL: standby.url }
  const bin = join(root, 'packages/server/bin/countersign.js')
  const { stdout } = spawnSync(process.execPath, [bin, 'doctor'], { env: environment, cwd: tmpdir(), encoding: 'utf8' })
  expect(stdout).toContain(`The replica 127.0.0.1:${standby.port} caught up`)
}, 120_000)

test('a replica that hangs delays a query by seconds at most, then nothing', async () => {
  await settle()
  const processes = execFileSync('ps', ['-o', 'pid=', '--ppid', String(standby.pid())], { encoding: 'utf8' })
  const pids = [standby.pid(), ...processes.trim().split(/\s+/).map(Number)]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 20 }, () => read('/classes/Move?maxStaleness=4')))
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([])
    expect(performance.now() - began).toBeLessThan(10_000)
    await pause(2_500)
    const again = performance.now()
    expect((await read('/classes/Move?maxStaleness=4')).source).toBe('primary')
    expect(performance.now() - again).toBeLessThan(1_500)
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await settle()
}, 120_000)

test('a replica that restarts is used again', async () => {
  await settle()
  const restarted = standby.restart('immediate')
  const sources = new Set()
  for (let round = 0; round < 40; round++) {
    const { status, source } = await read('/classes/Move?maxStaleness=4')
    expect(status).toBe(200)
    sources.add(source)
    await pause(25)
  }
  await restarted
  expect(sources).toContain('primary')
  await settle()
}, 120_000)

test('a promoted replica serves nothing', async () => {
  await settle()
  await queryStandby('select pg_promote()')
  await create('Move', { name: 'after promotion' })
  const promoted = performance.now()
  await until(async () => (await read('/classes/Move?maxStaleness=1e6')).source === 'primary')
  expect(performance.now() - promoted).toBeLessThan(longest * 1_000 + 3_000)
  await queryStandby(`update "Move" set "name" = 'forged'`)
  await pause(500)
  expect((await read('/classes/Move?maxStaleness=1e6')).names).not.toContain('forged')
}, 120_000)
