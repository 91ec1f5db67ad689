import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../db/openDatabase.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { inConsole } from '../../testing/openConsole.ts'
import { openTestDatabase } from '../../testing/openTestDatabase.ts'

/** Three servers on one database. */
let servers: TestServer[]
let stop = async () => {}

beforeAll(async () => {
  const database = await openTestDatabase()
  const { databaseUrl } = database
  const others = await Promise.all([1, 2].map(() => openDatabase({ databaseUrl, dataFolder: 'memory://' })))
  servers = [await createTestServer({ metrics: { token: 'a token of sixteen letters or more' } }, database)]
  for (const db of others) servers.push(await createTestServer({}, { ...database, db }))
  stop = async () => {
    for (const server of servers) await server.stop()
    for (const db of others) await db.close()
    await database.close()
  }
})
afterAll(() => stop())

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
const master = { master: true }
const first = () => servers[0] as TestServer

async function issue(token: string, scopes: string[]) {
  const { body } = await first().call('POST', '/auth/tokens', { name: 'x', scopes }, { token })
  return body as unknown as { objectId: string; token: string }
}

const statusOf = async (server: TestServer, token: string, path = '/classes/Thing') =>
  (await server.call('GET', path, undefined, bearer(token))).status

test('a revoked token is refused by three servers within 100 ms, though each had cached it', async () => {
  const { token } = await first().signUp('ann')
  await first().call('POST', '/classes/Thing', { n: 1 }, { token })
  const times: number[] = []
  for (let round = 0; round < 9; round++) {
    const made = await issue(token, ['Thing:read'])
    for (const server of servers) expect(await statusOf(server, made.token)).toBe(200)
    await first().call('DELETE', `/auth/tokens/${made.objectId}`, undefined, { token })
    const start = performance.now()
    await Promise.all(
      servers.map(async (server) => {
        while ((await statusOf(server, made.token)) === 200) {
          if (performance.now() - start > 60_000) throw new Error('still valid')
        }
      }),
    )
    times.push(performance.now() - start)
  }
  // The third best: a busy machine holds up most rounds; without a notification each takes seconds.
  expect(times.sort((a, b) => a - b)[2]).toBeLessThan(100)
})

test('an agent loses access on three servers within 100 ms of the revocation', async () => {
  const { token } = await first().signUp('agent owner')
  const statusAt = async ({ url }: TestServer, given: string) =>
    (await fetch(`${url}/mcp`, { headers: { authorization: `Bearer ${given}` } })).status
  const times: number[] = []
  for (let round = 0; round < 9; round++) {
    const made = await issue(token, ['Thing:read'])
    // 405: the token is known, but the method is not allowed.
    for (const server of servers) expect(await statusAt(server, made.token)).toBe(405)
    await first().call('DELETE', `/auth/tokens/${made.objectId}`, undefined, { token })
    const start = performance.now()
    await Promise.all(
      servers.map(async (server) => {
        while ((await statusAt(server, made.token)) !== 401) {
          if (performance.now() - start > 60_000) throw new Error('still valid')
        }
      }),
    )
    times.push(performance.now() - start)
  }
  // The best: a busy machine holds up most rounds; without a notification each takes seconds.
  expect(Math.min(...times)).toBeLessThan(100)
})

test('a disabled and a deleted owner has no tokens, also after the account is enabled', async () => {
  for (const [name, end] of [
    ['bob', (id: string) => first().call('POST', `/console/users/${id}/disable`, {}, master)],
    ['cid', (id: string) => first().call('DELETE', `/users/${id}`, undefined, master)],
  ] as const) {
    const { token, objectId } = await first().signUp(name)
    const made = await issue(token, ['Thing:read'])
    expect(await statusOf(first(), made.token)).toBe(200)
    await end(objectId)
    for (const server of servers) await expect.poll(() => statusOf(server, made.token)).toBe(400)
    if (name === 'bob') await first().call('POST', `/console/users/${objectId}/enable`, {}, master)
    expect(await statusOf(first(), made.token)).toBe(400)
  }
})

test('keys end with the role of the operator who saw them; those of the master key stay', async () => {
  const root = await first().signUp('root')
  const second = await first().signUp('second')
  for (const { objectId } of [root, second])
    await first().call('PUT', `/console/operators/${objectId}`, { role: 'admin' }, master)
  const draft = { name: 'x', scopes: ['schema:read'] }
  const options = { token: root.token, headers: inConsole }
  const { body: own } = await first().call('POST', '/console/accessKeys', draft, options)
  const { body: kept } = await first().call('POST', '/console/accessKeys', draft, master)
  const status = (body: Record<string, unknown>) => statusOf(first(), String(body.token), '/schemas')
  expect([await status(own), await status(kept)]).toEqual([200, 200])
  await first().call('PUT', `/console/operators/${root.objectId}`, { role: 'viewer' }, master)
  expect([await status(own), await status(kept)]).toEqual([400, 200])
})

test('a token of an operator has no rights of the console', async () => {
  const ada = await first().signUp('ada')
  await first().call('PUT', `/console/operators/${ada.objectId}`, { role: 'admin' }, master)
  const { token } = await issue(ada.token, ['*:read', '*:write', '_User:read', '_Role:read', 'account:read'])
  for (const path of ['/console', '/console/users', '/schemas', '/sessions', '/classes/_Session']) {
    const answer = await first().call('GET', path, undefined, { headers: { ...bearer(token).headers, ...inConsole } })
    expect([path, answer.status]).toEqual([path, 403])
  }
})

test('a planted cookie with a token opens nothing', async () => {
  const { token } = await first().signUp('eve')
  const made = await issue(token, ['account:read'])
  const headers = { 'X-Countersign-Session': 'cookie', Cookie: `countersign=${made.token}` }
  expect((await first().call('GET', '/users/me', undefined, { headers })).body.code).toBe(209)
})

test('metrics are for keys with that scope', async () => {
  const key = async (scopes: string[]) =>
    String((await first().call('POST', '/console/accessKeys', { name: 'x', scopes }, master)).body.token)
  const read = async (token: string) => (await fetch(`${first().url}/metrics`, bearer(token))).status
  expect([await read(await key(['metrics'])), await read(await key(['backup'])), await read('cs_key_x')]).toEqual([
    200, 401, 401,
  ])
})
