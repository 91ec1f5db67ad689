import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { Database } from '../db/Database.ts'
import { openDatabase } from '../db/openDatabase.ts'
import { sql } from '../db/sql.ts'
import { createTestServer } from '../testing/createTestServer.ts'
import { openTestDatabase } from '../testing/openTestDatabase.ts'

const master = { master: true }
const minute = 60_000

const wake = (db: Database) => db.query(sql`select pg_notify('countersign_jobs', '')`)

async function until(check: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const deadline = Date.now() + 25_000
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('two servers, 100 ticks of a schedule: each is run once', async () => {
  const database = await openTestDatabase()
  const db = await openDatabase({ databaseUrl: database.databaseUrl, dataFolder: 'memory://' })
  const servers = [await createTestServer({}, database), await createTestServer({}, { ...database, db })]
  const runs: number[] = []
  try {
    for (const [index, { context }] of servers.entries()) {
      const run = async () => {
        runs.push(index)
        return undefined
      }
      context.registry.jobs.set('tick', { run, schedule: '* * * * *' })
    }
    // Far from the next minute: a tick by the real time would make every later wait end one tick too early.
    const untilNext = minute - (Date.now() % minute)
    for (const server of servers) server.clock.forward(untilNext)
    const first = new Date()
    await wake(db)
    await until(async () => {
      const kept = await db.query(sql`select 1 from countersign.schedules`)
      return kept.length === 1
    }, 'the schedule is known')
    const ended = async () => {
      const [row] = await db.query<{ count: number }>(
        sql`select count(*)::integer from "_JobStatus" where "status" = 'succeeded'`,
      )
      return row?.count ?? 0
    }
    for (let tick = 1; tick <= 100; tick++) {
      for (const server of servers) server.clock.forward(minute)
      // Both are woken at the same moment, so that both want the same tick.
      await wake(db)
      await until(() => runs.length >= tick, `tick ${tick}: ${runs.length}`)
      // A minute is longer than a lease: the next one must not pass before the end is written down.
      await until(async () => (await ended()) >= tick, `the end of tick ${tick}`)
    }
    const statuses = await db.query<{ attempts: number }>(sql`select "attempts" from "_JobStatus"`)
    expect(statuses).toHaveLength(100)
    expect(statuses.every(({ attempts }) => attempts === 1)).toBe(true)
    expect(runs).toHaveLength(100)
    expect(await db.query(sql`select * from countersign.job_runs`)).toEqual([])
    const [kept] = await db.query<{ last_tick: Date }>(sql`select last_tick from countersign.schedules`)
    expect(kept?.last_tick.getTime()).toBeGreaterThan(first.getTime() + 99 * minute)
  } finally {
    for (const server of servers) await server.stop()
    await db.close()
    await database.close()
  }
}, 120_000)

test('a server that is killed in the middle of a job: another picks it up', async () => {
  const database = await openTestDatabase()
  const server = await createTestServer({}, database)
  const child = startOther(database.databaseUrl ?? '')
  try {
    await until(() => child.output().includes('up'), child.output())
    // Only the other server has the code yet, so that it is the one to take the run.
    const other = new Map(server.context.registry.jobs.set('long', { run: async () => 'ended here' }))
    server.context.registry.jobs.clear()
    const id = await enqueue()
    await until(() => child.output().includes('half way'), 'the other server has begun')
    const status = async () => (await server.call('GET', `/classes/_JobStatus/${id}`, undefined, master)).body
    expect(await status()).toMatchObject({ status: 'running', message: 'half way', progress: 0.5, attempts: 1 })

    for (const [name, job] of other) server.context.registry.jobs.set(name, job)
    child.process.kill('SIGKILL')
    await once(child.process, 'exit')
    await wake(database.db)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await status()).toMatchObject({ status: 'running', attempts: 1 })

    server.clock.forward(31_000)
    await wake(database.db)
    await until(async () => (await status()).status === 'succeeded', 'it was picked up')
    expect(await status()).toMatchObject({ message: 'ended here', attempts: 2 })
  } finally {
    if (child.process.exitCode === null) child.process.kill('SIGKILL')
    await server.stop()
    await database.close()
  }

  async function enqueue(): Promise<string> {
    const headers = {
      'X-Parse-Application-Id': server.appId,
      'X-Parse-Master-Key': server.masterKey,
      'Content-Type': 'application/json',
    }
    const [, url = ''] = /up (\S+)/.exec(child.output()) ?? []
    const answer = await fetch(`${url}/server/jobs/long`, { method: 'POST', headers, body: '{}' })
    return answer.headers.get('X-Parse-Job-Status-Id') ?? ''
  }
})

/** The built server in a process of its own, with one job that goes half way and then hangs. */
function startOther(databaseUrl: string): { process: ChildProcess; output(): string } {
  const at = (path: string) => JSON.stringify(new URL(`../../dist/${path}`, import.meta.url).href)
  const source = `
    import { readConfig } from ${at('config/readConfig.js')}
    import { createLogger } from ${at('log/createLogger.js')}
    import { startServer } from ${at('http/startServer.js')}
    const flags = { port: 0, databaseUrl: ${JSON.stringify(databaseUrl)} }
    const config = await readConfig({ environment: {}, folder: '/nonexistent', flags })
    const { context, port } = await startServer({ config, log: createLogger('warn') })
    context.registry.jobs.set('long', {
      async run({ progress }) {
        await progress('half way', 0.5)
        process.stdout.write('half way\\n')
        return new Promise(() => {})
      },
    })
    process.stdout.write('up http://127.0.0.1:' + port + '\\n')
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { env: { PATH: process.env.PATH } })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { process: child, output: () => text }
}
