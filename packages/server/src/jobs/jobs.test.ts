import type { WireFields } from '@countersign/protocol'
import Parse from 'parse/node'
import { describe, expect, test } from 'vitest'
import type { JobCall, RegisteredJob } from '../context/Registry.ts'
import { sql } from '../db/sql.ts'
import { createTestServer } from '../testing/createTestServer.ts'
import { serveTests } from '../testing/serveTests.ts'

const master = { master: true }
const readOnlyMasterKey = 'reads-alone'

const server = serveTests({ readOnlyMasterKey, jobs: { concurrency: 10 } })

const register = (name: string, run: RegisteredJob['run'], rest: Omit<RegisteredJob, 'run'> = {}) =>
  server.context.registry.jobs.set(name, { run, ...rest })

async function start(name: string, params: object = {}): Promise<string> {
  const { status, headers, body } = await server.call('POST', `/jobs/${name}`, params, master)
  expect({ status, body }).toEqual({ status: 200, body: {} })
  return headers.get('X-Parse-Job-Status-Id') ?? ''
}

const statusOf = async (id: string) => (await server.call('GET', `/classes/_JobStatus/${id}`, undefined, master)).body

const wake = () => server.context.db.query(sql`select pg_notify('countersign_jobs', '')`)

async function until<Value>(read: () => Promise<Value> | Value, holds: (value: Value) => boolean): Promise<Value> {
  const deadline = Date.now() + 15_000
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    if (Date.now() > deadline) throw new Error(`not in time: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const ended = (id: string) =>
  until(
    () => statusOf(id),
    ({ status }) => status !== 'running',
  )

/** A job that a test lets go on. */
function held() {
  const calls: (JobCall & { finish(message: string): void; fail(error: Error): void })[] = []
  const run = (call: JobCall) =>
    new Promise<string>((resolve, reject) => calls.push({ ...call, finish: resolve, fail: reject }))
  return { calls, run }
}

describe('a job that is started', () => {
  test('runs after the response, and its status shows the result', async () => {
    const job = held()
    register('count', job.run)
    const id = await start('count', { upTo: 3, when: { __type: 'Date', iso: '2026-01-01T00:00:00.000Z' } })
    const [call] = await until(
      () => job.calls,
      ({ length }) => length === 1,
    )
    expect(await statusOf(id)).toMatchObject({ jobName: 'count', source: 'api', status: 'running', attempts: 1 })
    expect(call?.params).toEqual({ upTo: 3, when: { __type: 'Date', iso: '2026-01-01T00:00:00.000Z' } })
    await call?.progress('one of three', 1 / 3)
    expect(await statusOf(id)).toMatchObject({ message: 'one of three', progress: 1 / 3 })
    call?.finish('counted')
    expect(await ended(id)).toMatchObject({
      status: 'succeeded',
      message: 'counted',
      progress: 1,
      params: { upTo: 3 },
      finishedAt: { __type: 'Date' },
      ACL: {},
    })
  })

  test('is started by the name in the body, too', async () => {
    const seen: WireFields[] = []
    register('named', async ({ params }) => {
      seen.push(params)
      return undefined
    })
    const answer = await server.call('POST', '/jobs', { jobName: 'named', a: 1 }, master)
    const status = await ended(answer.headers.get('X-Parse-Job-Status-Id') ?? '')
    expect(status).toMatchObject({ status: 'succeeded' })
    expect(seen).toEqual([{ a: 1 }])
  })

  test('is started and followed by the public parse client', async () => {
    const { initialize } = Parse as unknown as { initialize(appId: string, key?: string, masterKey?: string): void }
    initialize(server.appId, undefined, server.masterKey)
    Parse.serverURL = server.serverUrl
    register('greet', async ({ params, progress }) => {
      await progress('half way', 0.5)
      return `hello ${params.name}`
    })
    const id: string = await Parse.Cloud.startJob('greet', { name: 'world' })
    await ended(id)
    const status = await Parse.Cloud.getJobStatus(id)
    expect(status.toJSON()).toMatchObject({ status: 'succeeded', message: 'hello world', params: { name: 'world' } })
    expect((await Parse.Cloud.getJobsData()).jobs).toContain('greet')
  })

  test('P2: is looked up among jobs alone', async () => {
    for (const name of ['constructor', '__proto__', 'toString', 'unknown', 'hasOwnProperty']) {
      const { status, body } = await server.call('POST', `/jobs/${name}`, {}, master)
      expect({ status, body }).toEqual({
        status: 400,
        body: { code: 141, error: 'Invalid job.', reason: 'scriptFailed' },
      })
    }
    expect((await server.call('POST', '/jobs', { jobName: ['count'] }, master)).body.code).toBe(141)
  })

  test('P10: takes the master key, and not the one that only reads', async () => {
    register('guarded', async () => 'ran')
    expect((await server.call('POST', '/jobs/guarded', {})).status).toBe(403)
    const reading = { headers: { 'X-Parse-Master-Key': readOnlyMasterKey } }
    expect((await server.call('POST', '/jobs/guarded', {}, reading)).body.code).toBe(119)
    expect((await server.call('POST', '/cloud_code/jobs', { jobName: 'guarded' }, reading)).body.code).toBe(119)
    expect((await server.call('GET', '/classes/_JobStatus')).body.code).toBe(119)
    const { body } = await server.call('GET', '/classes/_JobStatus?where={"jobName":"guarded"}', undefined, master)
    expect(body.results).toEqual([])
  })

  test('fails with its own message when it throws, and once only unless it says otherwise', async () => {
    let runs = 0
    register('broken', async () => {
      runs++
      throw new Error('no such island \0')
    })
    expect(await ended(await start('broken'))).toMatchObject({
      status: 'failed',
      message: 'no such island ',
      attempts: 1,
    })
    expect(runs).toBe(1)
  })

  test('is tried again after a while that grows, as often as it says', async () => {
    let runs = 0
    register(
      'moody',
      async () => {
        if (++runs < 3) throw new Error(`mood ${runs}`)
        return 'better'
      },
      { maxAttempts: 3 },
    )
    const id = await start('moody')
    const waiting = (text: string) =>
      until(
        () => statusOf(id),
        ({ message }) => message === text,
      )
    expect(await waiting('mood 1')).toMatchObject({ status: 'running', attempts: 1 })
    const due = async () => {
      const [row] = await server.context.db.query<{ due: Date }>(
        sql`select due from countersign.job_runs where id = ${id}`,
      )
      return (row?.due.getTime() ?? 0) - server.clock.now().getTime()
    }
    expect(await due()).toBeLessThanOrEqual(3_000)
    server.clock.forward(3_100)
    await wake()
    await waiting('mood 2')
    expect(await due()).toBeGreaterThan(3_000)
    server.clock.forward(6_100)
    await wake()
    expect(await ended(id)).toMatchObject({ status: 'succeeded', message: 'better', attempts: 3 })
  })

  test('P13: that takes too long fails and is reported', async () => {
    let reason: unknown
    register(
      'endless',
      ({ signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            reason = signal.reason
          })
        }),
      { timeoutSeconds: 0.2 },
    )
    expect(await ended(await start('endless'))).toMatchObject({
      status: 'failed',
      message: 'The job exceeded its limit of 0.2 seconds.',
    })
    expect(reason).toBeInstanceOf(Error)
  })
})

describe('a run whose server fell silent', () => {
  test('is picked up by another, and the first can no longer end it', async () => {
    const job = held()
    register('silent', job.run)
    const id = await start('silent')
    await until(
      () => job.calls.length,
      (length) => length === 1,
    )
    server.clock.forward(31_000)
    await wake()
    await until(
      () => job.calls.length,
      (length) => length === 2,
    )
    job.calls[0]?.finish('too late')
    await job.calls[0]?.progress('from the past', 0.9)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await statusOf(id)).toMatchObject({ status: 'running', attempts: 2 })
    expect((await statusOf(id)).message).toBeUndefined()
    job.calls[1]?.finish('in time')
    expect(await ended(id)).toMatchObject({ status: 'succeeded', message: 'in time' })
  })

  test('is given up when it takes one server after another down', async () => {
    const job = held()
    register('deadly', job.run)
    const id = await start('deadly')
    for (let starts = 1; starts <= 4; starts++) {
      await until(
        () => job.calls.length,
        (length) => length === starts,
      )
      server.clock.forward(31_000)
      await wake()
    }
    expect(await ended(id)).toMatchObject({ status: 'failed', message: expect.stringContaining('4 times') })
    for (const call of job.calls) call.finish('')
  })

  test('is handed back at once by a server that stops, and not counted', async () => {
    const job = held()
    const stubborn = held()
    const second = await createTestServer({}, server.database)
    // Only the second server has the code at first.
    second.context.registry.jobs.set('moving', {
      run: (call) =>
        new Promise((_, reject) => {
          job.run(call)
          call.signal.addEventListener('abort', () => reject(call.signal.reason))
        }),
    })
    second.context.registry.jobs.set('stubborn', { run: stubborn.run })
    const ids: string[] = []
    for (const name of ['moving', 'stubborn']) {
      const { headers } = await second.call('POST', `/jobs/${name}`, {}, master)
      ids.push(headers.get('X-Parse-Job-Status-Id') ?? '')
    }
    await until(
      () => job.calls.length + stubborn.calls.length,
      (length) => length === 2,
    )
    register('moving', async () => 'moved')
    register('stubborn', async () => 'moved too')
    await second.stop()
    expect(await ended(ids[0] ?? '')).toMatchObject({ status: 'succeeded', message: 'moved' })
    expect(await ended(ids[1] ?? '')).toMatchObject({ status: 'succeeded', message: 'moved too' })
    expect(await server.context.db.query(sql`select * from countersign.job_runs`)).toEqual([])
  })
})

describe('a schedule', () => {
  const runsOf = async (name: string) =>
    (await server.call('GET', `/classes/_JobStatus?where={"jobName":"${name}"}&limit=1000`, undefined, master)).body
      .results as WireFields[]
  const settled = (name: string, count: number) =>
    until(
      () => runsOf(name),
      (runs) => runs.length >= count && runs.every(({ status }) => status === 'succeeded'),
    )
  const pass = async (ms: number) => {
    server.clock.forward(ms)
    await wake()
  }
  const hour = 3_600_000

  test('in the code runs its job at each tick, and once for all that an outage kept from running', async () => {
    register('hourly', async () => undefined, { schedule: '0 * * * *' })
    await wake()
    await until(
      () => server.context.db.query(sql`select * from countersign.schedules where id = 'code hourly'`),
      ({ length }) => length === 1,
    )
    for (let tick = 1; tick <= 3; tick++) {
      await pass(hour)
      const runs = await settled('hourly', tick)
      expect(runs).toHaveLength(tick)
      expect(runs[0]).toMatchObject({ source: 'schedule' })
    }
    await pass(7 * hour)
    expect(await settled('hourly', 4)).toHaveLength(4)
    await pass(hour)
    expect(await settled('hourly', 5)).toHaveLength(5)
    server.context.registry.jobs.delete('hourly')
  })

  test('through the API: made, listed, changed, followed, deleted', async () => {
    const seen: WireFields[] = []
    register('report', async ({ params }) => {
      seen.push(params)
      return undefined
    })
    const made = await server.call(
      'POST',
      '/cloud_code/jobs',
      { job_schedule: { jobName: 'report', cron: '30 4 * * *', timeZone: 'Asia/Tokyo', params: { to: 'crew' } } },
      master,
    )
    expect(made).toMatchObject({ status: 201, body: { jobName: 'report', cron: '30 4 * * *' } })
    const id = made.body.objectId as string
    const list = await server.call('GET', '/cloud_code/jobs', undefined, master)
    expect(JSON.parse(list.text)).toMatchObject([{ objectId: id, params: '{"to":"crew"}' }])
    const data = (await server.call('GET', '/cloud_code/jobs/data', undefined, master)).body
    expect(data.in_use).toEqual(['report'])
    expect(data.jobs).toContain('count')
    await pass(24 * hour)
    await settled('report', 1)
    const changed = await server.call('PUT', `/cloud_code/jobs/${id}`, { cron: '* * * * *', params: {} }, master)
    expect(changed).toMatchObject({ status: 200, body: { cron: '* * * * *', timeZone: 'Asia/Tokyo' } })
    await pass(60_000)
    await settled('report', 2)
    expect(seen[0]).toEqual({ to: 'crew' })
    expect(seen.at(-1)).toEqual({})
    expect((await server.call('DELETE', `/cloud_code/jobs/${id}`, undefined, master)).status).toBe(200)
    expect((await server.call('DELETE', `/cloud_code/jobs/${id}`, undefined, master)).body.code).toBe(101)
    expect((await server.call('PUT', `/cloud_code/jobs/${id}`, { cron: '* * * * *' }, master)).body.code).toBe(101)
  })

  test('that is changed makes up for no time of its new plan that passed before', async () => {
    register('replanned', async () => undefined)
    const { body } = await server.call('POST', '/cloud_code/jobs', { jobName: 'replanned', cron: '0 0 1 1 *' }, master)
    await wake()
    await until(
      () => server.context.db.query(sql`select * from countersign.schedules where id = ${body.objectId}`),
      ({ length }) => length === 1,
    )
    server.clock.forward(30 * 60_000)
    await server.call('PUT', `/cloud_code/jobs/${body.objectId}`, { cron: '* * * * *' }, master)
    await pass(60_000)
    expect(await settled('replanned', 1)).toHaveLength(1)
    await server.call('DELETE', `/cloud_code/jobs/${body.objectId}`, undefined, master)
  })

  test('loses what is null: cron gives way to a first run, and back; parameters go', async () => {
    register('moved', async () => undefined)
    const plan = {
      jobName: 'moved',
      cron: '0 3 * * *',
      timeZone: 'Asia/Tokyo',
      params: { to: 'crew' },
      description: 'x',
    }
    const { body } = await server.call('POST', '/cloud_code/jobs', plan, master)
    const change = (fields: object) => server.call('PUT', `/cloud_code/jobs/${body.objectId}`, fields, master)
    const kept = async () =>
      (await server.call('GET', `/classes/_JobSchedule/${body.objectId}`, undefined, master)).body

    const startAfter = new Date(server.clock.now().getTime() + hour).toISOString()
    const moved = await change({ cron: null, timeZone: null, startAfter, repeatMinutes: 20, params: null })
    expect(moved).toMatchObject({ status: 200, body: { startAfter, repeatMinutes: 20 } })
    expect(Object.keys(moved.body).sort()).toEqual(Object.keys(await kept()).sort())
    for (const gone of ['cron', 'timeZone', 'params']) expect(moved.body).not.toHaveProperty(gone)
    const { results } = (await server.call('GET', '/console/jobs', undefined, master)).body
    const shown = { objectId: body.objectId, startAfter, repeatMinutes: 20, description: 'x', next: startAfter }
    expect(results).toContainEqual({ name: 'moved', schedules: [shown] })

    expect(await change({ startAfter: null, repeatMinutes: null, cron: '1 * * * *' })).toMatchObject({ status: 200 })
    expect(await kept()).toMatchObject({ cron: '1 * * * *', description: 'x' })
    expect(await kept()).not.toHaveProperty('repeatMinutes')
    // Without any time it would never run.
    expect((await change({ cron: null })).body).toMatchObject({ code: 162 })
    expect((await change({ jobName: null })).body).toMatchObject({ code: 111 })
    expect(await kept()).toMatchObject({ cron: '1 * * * *' })
    await server.call('DELETE', `/cloud_code/jobs/${body.objectId}`, undefined, master)
  })

  test('of the dashboard: from a time on, every so many minutes', async () => {
    register('repeated', async () => undefined)
    const startAfter = new Date(server.clock.now().getTime() + 10 * 60_000).toISOString()
    const schedule = { jobName: 'repeated', startAfter, repeatMinutes: 20, params: '' }
    const { body } = await server.call('POST', '/cloud_code/jobs', { job_schedule: schedule }, master)
    await pass(9 * 60_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await runsOf('repeated')).toEqual([])
    await pass(2 * 60_000)
    expect(await settled('repeated', 1)).toHaveLength(1)
    await pass(20 * 60_000)
    expect(await settled('repeated', 2)).toHaveLength(2)
    await server.call('DELETE', `/cloud_code/jobs/${body.objectId}`, undefined, master)
  })

  test('that makes no sense is refused with a sentence', async () => {
    register('sensible', async () => undefined)
    const refused = async (schedule: object) =>
      (await server.call('POST', '/cloud_code/jobs', { jobName: 'sensible', ...schedule }, master)).body
    expect(await refused({ cron: '61 * * * *' })).toMatchObject({ code: 162 })
    expect(await refused({ cron: '* * *' })).toMatchObject({ code: 162 })
    expect(await refused({ cron: '* * * * *', timeZone: 'Mars/Olympus' })).toMatchObject({ code: 162 })
    expect(await refused({ cron: 5 })).toMatchObject({ code: 111 })
    expect(await refused({ startAfter: 'soon' })).toMatchObject({ code: 162 })
    expect(await refused({ startAfter: '2026-01-01T00:00:00Z', repeatMinutes: 0 })).toMatchObject({ code: 162 })
    expect(await refused({ cron: '* * * * *', params: '[1]' })).toMatchObject({ code: 107 })
    expect(await refused({ cron: '* * * * *', params: '{' })).toMatchObject({ code: 107 })
    expect(await refused({ jobName: 'constructor', cron: '* * * * *' })).toMatchObject({ code: 141 })
  })

  test('that was written as a document and cannot run is listed, skipped, changed and deleted', async () => {
    register('sound', async () => undefined)
    const good = await server.call('POST', '/cloud_code/jobs', { jobName: 'sound', cron: '* * * * *' }, master)
    const ids: string[] = []
    for (const fields of [
      {},
      { jobName: '' },
      { jobName: 'gone', cron: '* * * * *' },
      { jobName: 'sound' },
      { jobName: 'sound', cron: 'never' },
      { jobName: 'sound', startAfter: 'soon', repeatMinutes: -1 },
      { jobName: 'sound', cron: '* * * * *', timeZone: '\u0001' },
      { jobName: 'sound', cron: '* * * * *', params: '{' },
      { jobName: 'sound', cron: '* * * * *', params: '[1]' },
      { jobName: 'sound', startAfter: '+275760-09-13T00:00:00.000Z', repeatMinutes: 1e308 },
    ]) {
      const made = await server.call('POST', '/classes/_JobSchedule', fields, master)
      expect(made.status, JSON.stringify(fields)).toBe(201)
      ids.push(String(made.body.objectId))
    }
    await pass(60_000)
    expect((await settled('sound', 1)).length).toBeGreaterThan(0)
    for (const path of ['/cloud_code/jobs', '/cloud_code/jobs/data', '/classes/_JobSchedule', '/console/jobs'])
      expect((await server.call('GET', path, undefined, master)).status, path).toBe(200)
    for (const id of ids) {
      const changes = { jobName: 'sound', cron: '0 0 1 1 *', timeZone: 'UTC', params: '{}' }
      expect((await server.call('PUT', `/cloud_code/jobs/${id}`, changes, master)).status).toBeLessThan(500)
      expect((await server.call('DELETE', `/cloud_code/jobs/${id}`, undefined, master)).status).toBe(200)
    }
    await server.call('DELETE', `/cloud_code/jobs/${good.body.objectId}`, undefined, master)
  })
})
