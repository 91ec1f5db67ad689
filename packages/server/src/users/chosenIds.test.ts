import { expect, test } from 'vitest'
import { sql } from '../db/sql.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({ allowCustomObjectId: true, accountDeletionGrace: 0 })

let count = 0
const signUp = (objectId: string, options: { master?: true } = {}) =>
  server.call('POST', '/users', { objectId, username: `name ${count++}`, password: 'a long password' }, options)

const memberOf = (objectId: string) => ({
  __op: 'AddRelation',
  objects: [{ __type: 'Pointer', className: '_User', objectId }],
})

test('SEC-53: rejects a sign-up with the id of a deleted account', async () => {
  expect((await signUp('deleted01')).status).toBe(201)
  const { body: note } = await server.call(
    'POST',
    '/classes/Secret',
    { text: 'hidden', ACL: { deleted01: { read: true } } },
    { master: true },
  )
  await server.call('POST', '/roles', { name: 'crew', ACL: {}, users: memberOf('deleted01') }, { master: true })
  expect((await server.call('DELETE', '/users/deleted01', undefined, { master: true })).status).toBe(200)
  expect(await server.context.db.query(sql`select 1 from "_Join:users:_Role" where "relatedId" = 'deleted01'`)).toEqual(
    [],
  )
  expect((await signUp('deleted01')).body.code).toBe(137)
  expect((await signUp('deleted01', { master: true })).body.code).toBe(137)
  const guest = { objectId: 'deleted01', authData: { anonymous: { id: crypto.randomUUID() } } }
  const { body } = await server.call('POST', '/users', guest)
  expect(body.objectId).not.toBe('deleted01')
  const token = String(body.sessionToken)
  expect((await server.call('GET', `/classes/Secret/${note.objectId}`, undefined, { token })).status).toBe(404)
})

test('SEC-53: rejects a sign-up with an id that access lists, roles or permissions name', async () => {
  await server.call('POST', '/classes/Secret', { ACL: { named01: { read: true } } }, { master: true })
  await server.call('POST', '/classes/Secret', { ACL: { named02: { read: true, write: true } } }, { master: true })
  await server.call('POST', '/roles', { name: 'club', ACL: {}, users: memberOf('named03') }, { master: true })
  await server.call(
    'POST',
    '/schemas/Closed',
    { className: 'Closed', classLevelPermissions: { find: { named04: true } } },
    { master: true },
  )
  for (const id of ['named01', 'named02', 'named03', 'named04']) {
    expect([id, (await signUp(id)).body.code]).toEqual([id, 137])
  }
  expect((await signUp('named05')).status).toBe(201)
  // The operator names accounts in advance.
  expect((await signUp('named01', { master: true })).status).toBe(201)
})

test.each(['me', 'currentUser', 'authenticated', 'requiresAuthentication', 'userField:owner', 'role:crew', 'toString'])(
  'SEC-53: rejects a sign-up as %s',
  async (id) => {
    expect((await signUp(id)).body.code).toBe(105)
    expect((await signUp(id, { master: true })).body.code).toBe(105)
  },
)

test('SEC-53: a role under the id of a deleted one has no members of that one', async () => {
  const role = { objectId: 'role000001', name: 'first', ACL: {}, users: memberOf('named05') }
  await server.call('POST', '/roles', role, { master: true })
  await server.call('DELETE', '/roles/role000001', undefined, { master: true })
  const left = await server.context.db.query(sql`select 1 from "_Join:users:_Role" where "owningId" = 'role000001'`)
  expect(left).toEqual([])
})
