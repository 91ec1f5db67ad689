import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../db/openDatabase.ts'
import { sql } from '../db/sql.ts'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { openTestDatabase, type TestDatabase } from '../testing/openTestDatabase.ts'

let database: TestDatabase
let second: TestDatabase
let one: TestServer
let two: TestServer
beforeAll(async () => {
  database = await openTestDatabase()
  one = await createTestServer({}, database)
  const db = await openDatabase({ databaseUrl: database.databaseUrl, dataFolder: 'memory://' })
  second = { db, databaseUrl: database.databaseUrl, close: db.close }
  two = await createTestServer({}, second)
})
afterAll(async () => {
  await one.stop()
  await two.stop()
  await second.close()
  await database.close()
})

test('a role that is taken away on one server opens nothing on the other within 100 ms, though it was cached there', async () => {
  const ann = await one.signUp('ann')
  const users = (__op: string) => ({
    __op,
    objects: [{ __type: 'Pointer', className: '_User', objectId: ann.objectId }],
  })
  const { body: role } = await one.call(
    'POST',
    '/roles',
    { name: 'crew', ACL: {}, users: users('AddRelation') },
    { master: true },
  )
  const { body: door } = await one.call(
    'POST',
    '/classes/Door',
    { ACL: { 'role:crew': { write: true } } },
    { master: true },
  )
  const enter = async () =>
    (await two.call('PUT', `/classes/Door/${door.objectId}`, { n: 1 }, { token: ann.token })).status
  expect(await enter()).toBe(200)
  const times: number[] = []
  for (let round = 0; round < 7; round++) {
    await one.call('PUT', `/roles/${role.objectId}`, { users: users('RemoveRelation') }, { master: true })
    times.push(await until(async () => (await enter()) === 404))
    await one.call('PUT', `/roles/${role.objectId}`, { users: users('AddRelation') }, { master: true })
    times.push(await until(async () => (await enter()) === 200))
  }
  // The third best: a busy machine holds up most rounds; without a notification each takes seconds.
  expect(times.sort((a, b) => a - b)[2]).toBeLessThan(100)
})

/** Waits until `check` holds; gives the time it took. */
async function until(check: () => Promise<boolean>): Promise<number> {
  const start = performance.now()
  while (!(await check())) if (performance.now() - start > 60_000) throw new Error('not within a minute')
  return performance.now() - start
}

test('one request id sent to both servers at once is carried out once', async () => {
  await one.call('POST', '/classes/Once', { n: 0 })
  for (let round = 0; round < 5; round++) {
    const headers = { 'X-Parse-Request-Id': randomUUID() }
    const answers = await Promise.all(
      [one, two, one, two].map((server) => server.call('POST', '/classes/Once', { n: round }, { headers })),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.objectId}`)).size).toBe(1)
  }
  expect(await database.db.query(sql`select 1 from public."Once"`)).toHaveLength(6)
})

test('a class and a field that one server made can be written on the other at once', async () => {
  for (let round = 0; round < 5; round++) {
    const { body } = await one.call('POST', `/classes/Fresh${round}`, { a: 1 })
    expect((await two.call('PUT', `/classes/Fresh${round}/${body.objectId}`, { b: 'new' })).status).toBe(200)
    expect((await one.call('PUT', `/classes/Fresh${round}/${body.objectId}`, { b: 'again', a: 2 })).status).toBe(200)
    expect((await two.call('DELETE', `/classes/Fresh${round}/${body.objectId}`)).status).toBe(200)
  }
})
