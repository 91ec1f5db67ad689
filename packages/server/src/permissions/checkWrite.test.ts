import { expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { createTestServer } from '../testing/createTestServer.ts'
import { createWalletUser } from '../testing/createWalletUser.ts'

test('if the class of users allows no creation, no sign-in method creates one; existing accounts stay', async () => {
  const server = await createTestServer()
  try {
    const known = await createWalletUser(server)
    const all = { '*': true }
    const classLevelPermissions = { find: all, get: all, count: all, update: all, delete: {}, create: {}, addField: {} }
    const changed = await server.call('PUT', '/schemas/_User', { classLevelPermissions }, { master: true })
    expect(changed.status).toBe(200)
    const signUp = (options = {}) => server.call('POST', '/users', { username: 'new', password: 'p' }, options)
    expect((await signUp()).body.code).toBe(119)
    await expect(createWalletUser(server)).rejects.toThrow()
    const [{ count } = { count: 0 }] = await server.context.db.query<{ count: number }>(
      sql`select count(*)::int as count from "_User"`,
    )
    expect(count).toBe(1)
    const again = await createWalletUser(server, known.account)
    expect(again.objectId).toBe(known.objectId)
    const own = { token: again.token }
    expect((await server.call('PUT', `/users/${known.objectId}`, { username: 'renamed' }, own)).status).toBe(200)
    expect((await server.call('PUT', `/users/${known.objectId}`, { fresh: 1 }, own)).body.code).toBe(119)
    expect((await server.call('DELETE', `/users/${known.objectId}`, undefined, own)).body.code).toBe(119)
    expect((await signUp({ master: true })).status).toBe(201)
  } finally {
    await server.stop()
  }
})
