import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

const day = 86_400_000

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ rateLimit: [] })
})
afterEach(() => server.clock.set(0))
afterAll(() => server.stop())

/** A change of which no server hears, as if the notification channel were silently cut. */
async function changeUnheard(table: string, statement: string) {
  const { db } = server.context
  await db.transaction(async () => {
    await db.query({ text: `alter table "${table}" disable trigger user` })
    await db.query({ text: statement })
    await db.query({ text: `alter table "${table}" enable trigger user` })
  })
}

const statusOf = async (token: string) => (await server.call('GET', '/users/me', undefined, { token })).status

test('a session that ended unheard is refused within seconds, also after the clock was set back', async () => {
  const { objectId, token } = await server.signUp('ann')
  expect(await statusOf(token)).toBe(200)
  await changeUnheard('_Session', `delete from "_Session" where "user" = '${objectId}'`)
  server.clock.set(-day)
  server.clock.forward(11_000)
  expect(await statusOf(token)).toBe(400)
})

test('a role that was taken away unheard ends within seconds, also after the clock was set back', async () => {
  const { objectId, token } = await server.signUp('ben')
  const objects = [{ __type: 'Pointer', className: '_User', objectId }]
  await server.call(
    'POST',
    '/roles',
    { name: 'crew', ACL: {}, users: { __op: 'AddRelation', objects } },
    { master: true },
  )
  const ACL = { 'role:crew': { read: true } }
  const { body } = await server.call('POST', '/classes/Secret', { ACL }, { master: true })
  const read = async () => (await server.call('GET', `/classes/Secret/${body.objectId}`, undefined, { token })).status
  expect(await read()).toBe(200)
  await changeUnheard('_Join:users:_Role', `delete from "_Join:users:_Role" where "relatedId" = '${objectId}'`)
  server.clock.set(-day)
  server.clock.forward(11_000)
  expect(await read()).toBe(404)
})

test('a token that was replaced ends within seconds, also after the clock was set back', async () => {
  const { token } = await server.signUp('cid')
  const confirmed = await server.call('POST', '/auth/reauthenticate', { password: 'cid password' }, { token })
  expect(confirmed.status, confirmed.text).toBe(200)
  expect(await statusOf(token)).toBe(200)
  server.clock.set(-day)
  server.clock.forward(21_000)
  expect(await statusOf(token)).toBe(400)
  expect(await statusOf(String(confirmed.body.sessionToken))).toBe(200)
})

test('a proof that was given while the clock was ahead does not count once it is right', async () => {
  server.clock.set(day)
  const { objectId, token } = await server.signUp('dan')
  server.clock.set(0)
  server.clock.forward(1_000_000)
  const changed = await server.call('PUT', `/users/${objectId}`, { password: 'another password' }, { token })
  expect(changed.body.reason).toBe('reauthenticationRequired')
})

for (const [name, by] of [
  ['ahead', day],
  ['behind', -day],
] as const) {
  test(`a write that is repeated where the clock is a day ${name} runs once`, async () => {
    const headers = { 'X-Parse-Request-Id': randomUUID() }
    const write = () => server.call('POST', '/classes/Once', { name }, { master: true, headers })
    const first = await write()
    expect(first.status, first.text).toBe(201)
    server.clock.set(by)
    expect((await write()).body).toEqual(first.body)
    server.clock.set(0)
    expect((await write()).body).toEqual(first.body)
    // And is forgotten in time, wherever it was written.
    headers['X-Parse-Request-Id'] = randomUUID()
    server.clock.set(by)
    const second = await write()
    server.clock.set(0)
    expect((await write()).body).toEqual(second.body)
    server.clock.forward(301_000)
    expect((await write()).body.objectId).not.toBe(second.body.objectId)
    const rows = await server.context.db.query(sql`select 1 from "Once" where name = ${name}`)
    expect(rows).toHaveLength(3)
  })
}
