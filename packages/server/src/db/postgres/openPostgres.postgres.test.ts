import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CuttableProxy, createProxy } from '../../testing/createProxy.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/openTestDatabase.ts'
import type { Database } from '../Database.ts'
import { DatabaseUnavailable, isUnavailable } from '../databaseErrors.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../openDatabase.ts'
import { sql } from '../sql.ts'

let opened: TestDatabase
let closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  opened = await openTestDatabase()
})

afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
})

afterAll(() => opened.close())

const collectLogs = () => {
  const lines: string[] = []
  const log = (details: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(details)}`)
  }
  return { lines, logger: { info: log, warn: log, error: log } }
}

const directUrl = () => opened.databaseUrl as string

const urlThrough = ({ port }: CuttableProxy) => {
  const url = new URL(directUrl())
  url.hostname = '127.0.0.1'
  url.port = String(port)
  url.password = 'open-sesame'
  return url.href
}

const startProxy = async () => {
  const { hostname, port } = new URL(directUrl())
  const proxy = await createProxy({ host: hostname, port: Number(port) })
  closing.push(proxy.close)
  return proxy
}

const open = async (databaseUrl: string, more: { poolSize?: number } = {}): Promise<Database> => {
  const db = await openDatabase({ databaseUrl, dataFolder: 'memory://', ...more })
  closing.push(db.close)
  return db
}

const named = sql.named('one')`select 1 as one`
const unnamed = sql`select 1 as one`

const everyPath = (db: Database, text: string) => [
  db.query({ text }),
  db.query({ name: text, text }),
  db.transaction(() => db.query({ text })),
]

const terminateOthers = () =>
  opened.db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like '%pg_sleep(20)%' and state = 'active'
      and pid <> pg_backend_pid()`)

test('every connection limits how fast Citus opens others', async () => {
  const db = await open(directUrl())
  const text = 'show citus.executor_slow_start_interval'
  const rows = await Promise.all([...everyPath(db, text), db.query({ text, timeout: 1_000 })])
  expect(rows.flat().flatMap((row) => Object.values(row as object))).toEqual(['100', '100', '100', '100'])
})

describe('a lost connection', () => {
  test('fails what is in flight as unavailable and is replaced', async () => {
    const db = await open(directUrl())
    const inFlight = Promise.allSettled(everyPath(db, 'select pg_sleep(20)'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    await terminateOthers()
    for (const outcome of await inFlight) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) })
    }
    for (const answer of everyPath(db, 'select 2 as two')) expect(await answer).toEqual([{ two: 2 }])
  })

  test('a statement right after the one that failed finds a living connection', async () => {
    const db = await open(directUrl(), { poolSize: 1 })
    for (const path of [0, 1, 2]) {
      const failed = everyPath(db, 'select pg_sleep(20)').map((answer) => answer.catch((error: unknown) => error))
      await new Promise((resolve) => setTimeout(resolve, 200))
      const after = failed[path]?.then(() => Promise.all(everyPath(db, 'select 3 as three')))
      // The pool has one connection: what waits in line for it is terminated later.
      let isOver = false
      const ended = Promise.all(failed).then(() => (isOver = true))
      while (!isOver) {
        await terminateOthers()
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))])
      }
      expect(await after).toEqual([[{ three: 3 }], [{ three: 3 }], [{ three: 3 }]])
      for (const error of await Promise.all(failed)) expect(isUnavailable(error)).toBe(true)
    }
  })

  test('a server that is away makes statements fail, and work again once it is back', async () => {
    const proxy = await startProxy()
    const db = await open(urlThrough(proxy))
    expect(await db.query(named)).toEqual([{ one: 1 }])
    await proxy.close()
    for (let time = 0; time < 3; time++) {
      await expect(db.query(named)).rejects.toThrow(DatabaseUnavailable)
      await expect(db.query(unnamed)).rejects.toThrow(DatabaseUnavailable)
      await expect(db.transaction(() => db.query(unnamed))).rejects.toThrow(DatabaseUnavailable)
    }
    await proxy.open()
    expect(await db.query(named)).toEqual([{ one: 1 }])
    expect(await db.query(unnamed)).toEqual([{ one: 1 }])
    expect(await db.transaction(() => db.query(unnamed))).toEqual([{ one: 1 }])
  })

  test('a transaction cut off in the middle leaves nothing behind', async () => {
    const proxy = await startProxy()
    const db = await open(urlThrough(proxy))
    await opened.db.query(sql`create table halves (id int)`)
    const acts: string[] = []
    const transaction = db.transaction(async () => {
      db.afterCommit(() => acts.push('committed'))
      await db.query(sql`insert into halves values (1)`)
      await proxy.close()
      await db.query(sql`insert into halves values (2)`)
    })
    await expect(transaction).rejects.toThrow(DatabaseUnavailable)
    expect(acts).toEqual([])
    expect(await opened.db.query(sql`select * from halves`)).toEqual([])
  })
})

describe('the start', () => {
  test('waits for a server that is not up yet, and says so without the password', async () => {
    const proxy = await startProxy()
    await proxy.close()
    const { lines, logger } = collectLogs()
    const opening = openDatabase({ databaseUrl: urlThrough(proxy), dataFolder: 'memory://', patience: 20_000, logger })
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    await proxy.open()
    const db = await opening
    closing.push(db.close)
    expect(await db.query(named)).toEqual([{ one: 1 }])
    expect(lines[0]).toContain(`Waiting for PostgreSQL at 127.0.0.1:${proxy.port}, database "test_`)
    expect(lines.join()).not.toContain('open-sesame')
  })

  test('gives up after its patience with host, port and database, without the password', async () => {
    const proxy = await startProxy()
    await proxy.close()
    const error: unknown = await openDatabase({
      databaseUrl: urlThrough(proxy),
      dataFolder: 'memory://',
      patience: 300,
    }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    const { message, stack, cause } = error as Error
    expect(message).toContain(`PostgreSQL at 127.0.0.1:${proxy.port}, database "test_`)
    expect(message).toContain('DATABASE_URL')
    expect(`${message}${stack}${JSON.stringify(cause)}`).not.toContain('open-sesame')
  })

  test('fails immediately if waiting cannot help', async () => {
    const url = new URL(directUrl())
    url.pathname = '/no_such_database'
    const began = Date.now()
    await expect(openDatabase({ databaseUrl: url.href, dataFolder: 'memory://' })).rejects.toThrow(
      /database "no_such_database": database "no_such_database" does not exist/,
    )
    expect(Date.now() - began).toBeLessThan(5_000)
  })

  test.each(['localhost:5432', 'mysql://root:open-sesame@localhost/x', 'postgres://user:open-sesame@[broken/x'])(
    'rejects an invalid address without quoting it: %s',
    async (databaseUrl) => {
      const opening = openDatabase({ databaseUrl, dataFolder: 'memory://' })
      const error: unknown = await opening.catch((error: unknown) => error)
      expect((error as Error).message).toContain('DATABASE_URL must look like')
      expect((error as Error).stack).not.toContain('open-sesame')
    },
  )

  test('a database in another encoding is refused', async () => {
    const { db } = opened
    await db.query(sql`create database latin template template0 encoding 'LATIN1' locale 'C'`)
    const url = new URL(directUrl())
    url.pathname = '/latin'
    await expect(openDatabase({ databaseUrl: url.href, dataFolder: 'memory://' })).rejects.toThrow('encoded in LATIN1')
    await db.query(sql`drop database latin`)
  })
})

describe('named statements', () => {
  test('share a few connections, many in flight on each', async () => {
    const db = await open(directUrl())
    const pids = await Promise.all(
      Array.from({ length: 300 }, () => db.query<{ pid: number }>(sql.named('pid')`select pg_backend_pid() as pid`)),
    )
    expect(new Set(pids.map(([row]) => row?.pid)).size).toBeLessThanOrEqual(4)
  })

  test('do not wait behind transactions that take up the whole pool', async () => {
    const db = await open(directUrl(), { poolSize: 1 })
    const order: string[] = []
    const transaction = db.transaction(async () => {
      await db.query(sql`select pg_sleep(0.5)`)
      order.push('transaction')
    })
    await db.query(named)
    order.push('named')
    await transaction
    expect(order).toEqual(['named', 'transaction'])
  })
})

describe('notifications', () => {
  test('come again after the connection was cut, and listeners are notified that some may be missing', async () => {
    const proxy = await startProxy()
    const db = (await open(urlThrough(proxy))) as Database & {
      listen(channel: string, handle: (payload: string) => void, missed: () => void): Promise<() => Promise<void>>
    }
    const heard: string[] = []
    let missed = 0
    await db.listen(
      'news',
      (payload) => heard.push(payload),
      () => missed++,
    )
    await db.listen('more', (payload) => heard.push(payload))
    await opened.db.query(sql`select pg_notify('news', 'before')`)
    await expect.poll(() => heard).toEqual(['before'])
    expect(db.listening()).toBe(true)

    await proxy.close()
    await expect.poll(() => db.listening()).toBe(false)
    await opened.db.query(sql`select pg_notify('news', 'lost')`)
    const late = await db.listen('late', (payload) => heard.push(payload))
    await proxy.open()
    await expect.poll(() => db.listening(), { timeout: 60_000 }).toBe(true)
    expect(missed).toBe(1)
    for (const channel of ['news', 'more', 'late']) {
      await opened.db.query(sql`select pg_notify(${channel}, ${channel})`)
    }
    await expect.poll(() => heard).toEqual(['before', 'news', 'more', 'late'])
    await late()
  })

  test('a connection that died silently is noticed within five seconds', async () => {
    const proxy = await startProxy()
    const db = await open(urlThrough(proxy))
    let missed = 0
    await db.listen(
      'news',
      () => {},
      () => missed++,
    )
    expect(db.listening()).toBe(true)
    proxy.stall()
    const began = Date.now()
    // A new connection comes so soon that the gap itself is easily overlooked; that it was there is reported.
    await expect.poll(() => missed, { timeout: 60_000 }).toBe(1)
    expect(Date.now() - began).toBeLessThan(30_000)
    expect(db.listening()).toBe(true)
  })
})

test('transactions that lock each other out both succeed', async () => {
  const db = await open(directUrl())
  await db.query(sql`create table pairs (id int primary key, times int); insert into pairs values (1, 0), (2, 0)`)
  const touch = (id: number) => db.query(sql`update pairs set times = times + 1 where id = ${id}`)
  let tries = 0
  const cross = (first: number, second: number) =>
    db.transaction(async () => {
      tries++
      await touch(first)
      await new Promise((resolve) => setTimeout(resolve, 200))
      await touch(second)
    })
  await Promise.all([cross(1, 2), cross(2, 1)])
  expect(tries).toBeGreaterThan(2)
  expect(await db.query(sql`select id, times from pairs order by id`)).toEqual([
    { id: 1, times: 2 },
    { id: 2, times: 2 },
  ])
})

test('servers that start together run each migration once', async () => {
  const migrations = Array.from({ length: 5 }, (_, number) => ({
    name: `000${number}`,
    sql: `create table step_${number} (id int); insert into step_${number} values (${number}); select pg_sleep(0.02)`,
  }))
  const servers = await Promise.all(Array.from({ length: 8 }, () => open(directUrl(), { poolSize: 1 })))
  const applied: object[] = []
  const logger = { info: (details: object) => applied.push(details), warn: () => {}, error: () => {} }
  await Promise.all(servers.map((db) => migrate(db, migrations, logger)))
  expect(applied).toEqual(migrations.map(({ name }) => ({ migration: name })))
  const rows = await opened.db.query(sql`select name from countersign.migrations order by position`)
  expect(rows).toEqual(migrations.map(({ name }) => ({ name })))
  expect(await opened.db.query(sql`select count(*) from step_4`)).toEqual([{ count: 1 }])
})
