import { afterEach, expect, test } from 'vitest'
import { type LiveSocket, openLiveSocket } from '../testing/openLiveSocket.ts'
import { serveTests } from '../testing/serveTests.ts'

const server = serveTests({ liveQuery: { websocketTimeout: 1_000 } })
const opened: LiveSocket[] = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
})

async function open(sessionToken: string, features = ['positions', 'access']) {
  const socket = await openLiveSocket(server, { connect: { sessionToken, features } })
  opened.push(socket)
  return socket
}

const memberOf = (__op: string, objectId: string) => ({
  users: { __op, objects: [{ __type: 'Pointer', className: '_User', objectId }] },
})

test('a client that stores documents is notified of a revoked role, connected or later', async () => {
  const { objectId, token } = await server.signUp('ann')
  const master = { master: true } as const
  const role = await server.call(
    'POST',
    '/roles',
    { name: 'crew', ACL: {}, ...memberOf('AddRelation', objectId) },
    master,
  )
  await server.call('POST', '/classes/Plan', { text: 'a', ACL: { 'role:crew': { read: true } } }, master)
  const socket = await open(token)
  const { access, position } = await socket.subscribe(1, { className: 'Plan' })
  expect(access).toEqual(expect.any(String))
  const second = await open(token)
  expect((await second.subscribe(1, { className: 'Plan' })).access).toBe(access)
  const path = `/roles/${role.body.objectId}`
  await server.call('PUT', path, memberOf('RemoveRelation', objectId), master)
  const changed = await socket.next('access')
  expect(changed).toMatchObject({ requestId: 1, access: expect.any(String) })
  expect(changed.access).not.toBe(access)
  // A client that was away: the log has no event about the document.
  const late = await open(token)
  expect((await late.subscribe(1, { className: 'Plan' }, { from: position })).access).toBe(changed.access)
  await server.call('PUT', path, memberOf('AddRelation', objectId), master)
  expect((await socket.next('access')).access).toBe(access)
})

test('notifies of changed permissions, protected fields and dropped fields of the class, and of no other', async () => {
  const { token } = await server.signUp('bob')
  const master = { master: true } as const
  await server.call('POST', '/classes/Sheet', { text: 'a', n: 1 }, master)
  await server.call('POST', '/classes/Elsewhere', { text: 'a' }, master)
  const socket = await open(token)
  const older = await open(token, ['positions'])
  const first = await socket.subscribe(1, { className: 'Sheet' })
  await socket.subscribe(2, { className: 'Elsewhere' })
  expect(await older.subscribe(1, { className: 'Sheet' })).not.toHaveProperty('access')
  const change = (classLevelPermissions: object, fields = {}) =>
    server.call('PUT', '/schemas/Sheet', { className: 'Sheet', classLevelPermissions, fields }, master)
  const open_ = { find: { '*': true }, get: { '*': true } }
  await change({ ...open_, protectedFields: { '*': ['n'] } })
  const hidden = await socket.next('access')
  expect(hidden.access).not.toBe(first.access)
  await change(open_, { n: { __op: 'Delete' } })
  expect((await socket.next('access')).access).not.toBe(hidden.access)
  expect(socket.frames.filter(({ op, requestId }) => op === 'access' && requestId === 2)).toEqual([])
  expect(older.frames.filter(({ op }) => op === 'access')).toEqual([])
})
