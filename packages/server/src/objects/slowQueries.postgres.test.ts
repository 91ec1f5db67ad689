import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ requestComplexity: { queryTimeout: 700 } })
  await server.call('POST', '/classes/Slow', { tags: ['a'] })
  // Enough that to compare each with each takes minutes.
  await server.context.db.query(sql`
    insert into public."Slow" ("objectId", "createdAt", "updatedAt", "tags")
    select 'o' || i, now(), now(), (select jsonb_agg(i || '-' || j) from generate_series(1, 20) as j)
    from generate_series(1, 5000) as i`)
})
afterAll(() => server.stop())

const find = (where: object, options = {}) =>
  server.call('POST', '/classes/Slow', { where, limit: 1, _method: 'GET' }, options)
const eachWithEach = (unlike: string) => ({
  tags: { $dontSelect: { key: 'tags', query: { className: 'Slow', where: { tags: { $ne: unlike } } } } },
})

test('P13: a slow query of a guest ends in time, and ends in the database too', async () => {
  const begin = performance.now()
  for (let i = 0; i < 4; i++) {
    // The third time and on it is a prepared statement.
    expect(await find(eachWithEach('q'))).toMatchObject({ status: 400, body: { code: 124 } })
  }
  expect(performance.now() - begin).toBeLessThan(60_000)
  const listRunning = () =>
    server.context.db.query(sql`
      select 1 from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%"Slow"%' and pid <> pg_backend_pid()`)
  // The response may arrive before the database has ended the statement.
  await expect.poll(listRunning, { timeout: 20_000 }).toEqual([])
})

test('P13: sessions, sign-in and writes continue during any number of slow queries', async () => {
  const { token } = await server.signUp('patient')
  await server.call('GET', '/users/me', undefined, { token })
  const slow = Array.from({ length: 24 }, (_, i) => find(eachWithEach(`q${i % 3}`)))
  await new Promise((resolve) => setTimeout(resolve, 100))
  const begin = performance.now()
  for (let i = 0; i < 3; i++) {
    server.context.sessionCache.forgetUser('')
    expect((await server.call('GET', '/sessions/me', undefined, { token })).status).toBe(200)
    expect((await server.call('POST', '/classes/Quick', { i })).status).toBe(201)
  }
  expect(performance.now() - begin).toBeLessThan(30_000)
  for (const { status, body } of await Promise.all(slow))
    expect([
      [400, 124],
      [503, 124],
    ]).toContainEqual([status, body.code])
})

test('P13: inside a transaction a slow query ends in time, too', async () => {
  const path = `/server/classes/Slow?where=${encodeURIComponent(JSON.stringify(eachWithEach('t')))}&limit=1`
  const requests = [
    { method: 'POST', path: '/server/classes/Undone', body: { n: 1 } },
    { method: 'GET', path, body: {} },
  ]
  const answer = await server.call('POST', '/batch', { requests, transaction: true })
  expect(answer).toMatchObject({ status: 400, body: { code: 124 } })
  const undone = await server.call('GET', '/classes/Undone', undefined, { master: true })
  expect(undone.body.results).toEqual([])
})

test('the master key is not hurried', async () => {
  const [row] = await server.context.db.query<{ seconds: number }>(
    sql.named('sleeps-longer-than-a-quick-statement')`select 1 as seconds, pg_sleep(1.2)`,
  )
  expect(row?.seconds).toBe(1)
  const where = { tags: { $regex: '^(1|2)+-' } }
  expect((await find(where, { master: true })).status).toBe(200)
})
