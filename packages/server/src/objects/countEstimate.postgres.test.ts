import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

const rowCount = 600_000

let server: TestServer
let reader: { objectId: string; token: string }

beforeAll(async () => {
  server = await createTestServer({ requestComplexity: { queryTimeout: 100 } })
  reader = await server.signUp('reader')
  for (const className of ['Large', 'Small']) {
    const fields = { level: { type: 'Number' } }
    const { status, text } = await server.call('POST', `/schemas/${className}`, { className, fields }, { master: true })
    expect(status, text).toBe(200)
    const rows = className === 'Large' ? rowCount : 1_000
    await server.database.db.query(sql`
      insert into ${sql.table(className)} ("objectId", "createdAt", "updatedAt", level)
      select 'o' || n, now(), now(), n % 10 from generate_series(1, ${rows}::int) n`)
    await server.database.db.query(sql`vacuum analyze ${sql.table(className)}`)
  }
}, 180_000)
afterAll(() => server.stop())

const find = (className: string, input: object, auth: object = { master: true }) =>
  server.call('POST', `/classes/${className}`, { _method: 'GET', limit: 0, ...input }, auth)

test('a large class is estimated, and the response says so', async () => {
  const { body } = await find('Large', { count: 'estimate' })
  expect(body).toMatchObject({ results: [], isEstimate: true })
  expect(body.count).toBeGreaterThan(rowCount * 0.9)
  expect(body.count).toBeLessThan(rowCount * 1.1)
  const { body: some } = await find('Large', { count: 'estimate', where: { level: 3 } })
  expect(some.isEstimate).toBe(true)
  expect(some.count).toBeGreaterThan(rowCount * 0.05)
  expect(some.count).toBeLessThan(rowCount * 0.2)
})

test('a count that is cheap is exact', async () => {
  expect((await find('Small', { count: 'estimate' })).body).toEqual({ results: [], count: 1_000 })
  expect((await find('Large', { count: 'estimate', where: { objectId: 'o5' } })).body).toEqual({
    results: [],
    count: 1,
  })
  expect((await find('Missing', { count: 'estimate' })).body).toEqual({ results: [], count: 0 })
  expect((await find('Large', { count: 1 })).body).toEqual({ results: [], count: rowCount })
})

test('an estimate tells nobody about objects that they may not read', async () => {
  for (const auth of [{}, { token: reader.token }]) {
    for (const className of ['Large', 'Small', 'Missing']) {
      const { status, body } = await find(className, { count: 'estimate', where: { level: 3 } }, auth)
      expect([status, body.code]).toEqual([400, 119])
      expect(JSON.stringify(body)).not.toMatch(/\d{4}/)
    }
    const { status, body } = await server.call(
      'POST',
      '/batch',
      { requests: [{ method: 'GET', path: '/server/classes/Large', body: { count: 'estimate', limit: 0 } }] },
      auth,
    )
    expect(JSON.stringify([status, body])).toContain('119')
  }
})

test('a timeout names what helps', async () => {
  const { db } = server.database
  // Every statement on the class waits, so the limit is reached whatever the machine can do.
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let held: Promise<void> | undefined
  await new Promise<void>((resolve) => {
    held = db.transaction(async () => {
      await db.query(sql`lock table public."Large" in access exclusive mode`)
      resolve()
      await released
    })
  })
  const { body: counted } = await find('Large', { count: 1 }, { token: reader.token })
  const { body: skipped } = await find('Large', { skip: 20_000, limit: 10 }, { token: reader.token })
  const { body: plain } = await find('Large', { limit: 10 }, { token: reader.token })
  release()
  await held
  expect(counted).toMatchObject({ code: 124, error: expect.stringContaining('count=estimate') })
  expect(skipped).toMatchObject({ code: 124, error: expect.stringContaining('cursor') })
  expect(plain).toMatchObject({ code: 124, error: expect.stringContaining('index') })
})
