import { afterEach, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../testing/createTestServer.ts'
import { type LiveSocket, openLiveSocket } from '../testing/openLiveSocket.ts'
import { serveTests } from '../testing/serveTests.ts'

/** One whose limits are soon reached. The last test stops it. */
let strict: TestServer
const opened: LiveSocket[] = []
const server = serveTests()
beforeAll(async () => {
  strict = await createTestServer(
    {
      trustProxy: true,
      javascriptKey: 'js',
      clientKey: 'client',
      masterKeyIps: ['10.0.0.1'],
      liveQuery: {
        maxSubscriptionsPerSocket: 2,
        maxSocketsPerUser: 1,
        maxSocketsPerAddress: 2,
        connectTimeout: 3_000,
        websocketTimeout: 2_000,
        classNames: ['Open'],
      },
    },
    server.database,
  )
})
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
})

async function open(options: Parameters<typeof openLiveSocket>[1] = {}) {
  const socket = await openLiveSocket(server, options)
  opened.push(socket)
  return socket
}
async function visit({ connect, ...options }: NonNullable<Parameters<typeof openLiveSocket>[1]>) {
  const socket = await openLiveSocket(strict, { ...options, connect: { javascriptKey: 'js', ...connect } })
  opened.push(socket)
  return socket
}
const make = async (className: string, fields: object, options = {}) =>
  (await server.call('POST', `/classes/${className}`, fields, options)).body.objectId as string
const change = (className: string, id: string, fields: object, options = {}) =>
  server.call('PUT', `/classes/${className}/${id}`, fields, options)

test('R24: the five events arrive with what was before, as objects of the wire', async () => {
  const socket = await open({ connect: { installationId: 'device "one"' } })
  expect(socket.frames[0]).toEqual({ op: 'connected', clientId: expect.any(String), installationId: 'device "one"' })
  const answer = await socket.subscribe(7, { className: 'Score', where: { n: { $gte: 10 } } })
  expect(answer).toEqual({
    op: 'subscribed',
    clientId: socket.frames[0]?.clientId,
    installationId: 'device "one"',
    requestId: 7,
  })
  const id = await make('Score', { n: 10, born: { __type: 'Date', iso: '2020-01-02T03:04:05.678Z' } })
  const created = await socket.next('create')
  expect(created).toEqual({
    op: 'create',
    clientId: socket.frames[0]?.clientId,
    installationId: 'device "one"',
    requestId: 7,
    object: {
      className: 'Score',
      objectId: id,
      n: 10,
      born: { __type: 'Date', iso: '2020-01-02T03:04:05.678Z' },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  })
  await change('Score', id, { n: 11 })
  expect(await socket.next('update')).toMatchObject({ object: { n: 11 }, original: { n: 10, className: 'Score' } })
  await change('Score', id, { n: 1 })
  expect(await socket.next('leave')).toMatchObject({ object: { n: 1 }, original: { n: 11 } })
  await change('Score', id, { n: 2 })
  await change('Score', id, { n: 20 })
  expect(await socket.next('enter')).toMatchObject({ object: { n: 20 }, original: { n: 2 } })
  await server.call('DELETE', `/classes/Score/${id}`)
  const deleted = await socket.next('delete')
  expect(deleted).toMatchObject({ object: { n: 20, objectId: id } })
  expect(deleted).not.toHaveProperty('original')
  expect(socket.frames.map(({ op }) => op)).toEqual([
    'connected',
    'subscribed',
    'create',
    'update',
    'leave',
    'enter',
    'delete',
  ])
})

test('unsubscribing, replacing a question and asking for one id', async () => {
  const socket = await open()
  const first = await make('Note', { text: 'a' })
  const second = await make('Note', { text: 'b' })
  await socket.subscribe(1, { className: 'Note', where: { objectId: first } })
  await change('Note', second, { text: 'b2' })
  await change('Note', first, { text: 'a2' })
  expect(await socket.next('update')).toMatchObject({ object: { objectId: first, text: 'a2' } })
  socket.send({ op: 'update', requestId: 1, query: { className: 'Note', where: { text: { $in: ['b2', 'b3'] } } } })
  await socket.next('subscribed')
  await change('Note', first, { text: 'a3' })
  await change('Note', second, { text: 'b3' })
  expect(await socket.next('update')).toMatchObject({ object: { objectId: second, text: 'b3' } })
  socket.send({ op: 'unsubscribe', requestId: 1 })
  expect(await socket.next('unsubscribed')).toMatchObject({ requestId: 1 })
  await socket.subscribe(2, { className: 'Note', where: { text: 'end' } })
  await change('Note', second, { text: 'b2' })
  await change('Note', first, { text: 'end' })
  expect(await socket.next('enter')).toMatchObject({ requestId: 2 })
  expect(socket.frames.filter(({ op }) => op === 'update')).toHaveLength(2)
})

test('keys leave fields out, watch leaves updates out', async () => {
  const socket = await open()
  await socket.subscribe(1, { className: 'Car', keys: ['color'] })
  await socket.subscribe(2, { className: 'Car', fields: ['speed'] })
  await socket.subscribe(3, { className: 'Car', watch: ['color'] })
  const id = await make('Car', { color: 'red', speed: 1, secret: 'x' })
  const events = [await socket.next('create'), await socket.next('create'), await socket.next('create')]
  const [one, two, three] = [1, 2, 3].map((requestId) => events.find((event) => event.requestId === requestId)?.object)
  expect(Object.keys(one ?? {}).sort()).toEqual(['className', 'color', 'createdAt', 'objectId', 'updatedAt'])
  expect(two).toMatchObject({ speed: 1 })
  expect(two).not.toHaveProperty('color')
  expect(three).toMatchObject({ color: 'red', speed: 1 })
  await change('Car', id, { speed: 2 })
  await change('Car', id, { color: 'blue' })
  expect(await socket.next((frame) => frame.op === 'update' && frame.requestId === 3)).toMatchObject({
    object: { color: 'blue', speed: 2 },
    original: { color: 'red' },
  })
  expect(socket.frames.filter(({ op, requestId }) => op === 'update' && requestId === 3)).toHaveLength(1)
})

test('a class that is not there yet becomes live once it is made, and again after it was dropped', async () => {
  const socket = await open()
  expect(await socket.subscribe(1, { className: 'Later', where: { size: 3 } })).toMatchObject({ op: 'subscribed' })
  await make('Later', { size: 2 })
  const id = await make('Later', { size: 3 })
  expect((await socket.next('create')).object).toMatchObject({ size: 3 })
  // A field that comes later is part of what is sent.
  await change('Later', id, { more: ['new'] })
  expect((await socket.next('update')).object).toMatchObject({ more: ['new'] })
  await server.call('DELETE', '/purge/Later', undefined, { master: true })
  expect(await socket.next('delete')).toMatchObject({ requestId: 1 })
  expect((await server.call('DELETE', '/schemas/Later', undefined, { master: true })).status).toBe(200)
  await make('Later', { size: 3 })
  expect((await socket.next('create')).object).toMatchObject({ size: 3 })
})

test('rejects operators that depend on other objects, by name', async () => {
  const socket = await open()
  await make('Team', { name: 'a' })
  const inner = { $inQuery: { className: 'Team', where: {} } }
  const refused = await socket.subscribe(1, { className: 'Player', where: { $or: [{ team: inner }, { a: 1 }] } })
  expect(refused).toMatchObject({ op: 'error', code: 102, requestId: 1, reconnect: false })
  expect(refused.error).toContain('$inQuery cannot be used in a live query')
  expect(await socket.subscribe(2, { className: 'Team', where: { $relatedTo: {} } })).toMatchObject({ code: 102 })
  expect(await socket.subscribe(3, { className: 'Team', where: { 'a b': 1 } })).toMatchObject({ code: 105 })
  expect(await socket.subscribe(4, { className: 'no/class' })).toMatchObject({ code: 103 })
  expect(await socket.subscribe(5, { className: '_JobStatus' })).toMatchObject({ code: 119 })
})

test('malformed messages get 1, unknown clients 2, unknown operations 3', async () => {
  const socket = await open({ silent: true })
  for (const bad of ['', 'no json', '[]', '1', '{}', '{"op":7}', '{"op":"connect","applicationId":{"$ne":1}}']) {
    socket.send(bad)
    expect(await socket.next('error')).toMatchObject({
      code: 1,
      reason: 'invalidJson',
      requestId: null,
      reconnect: false,
    })
  }
  socket.socket.send(Buffer.from('{"op":"connect"}'), { binary: true })
  expect(await socket.next('error')).toMatchObject({ code: 1 })
  socket.send({ op: 'subscribe', requestId: 1, query: { className: 'A', where: {} } })
  expect(await socket.next('error')).toMatchObject({ code: 2, requestId: 1 })
  socket.send({ op: 'dance', requestId: 1 })
  expect(await socket.next('error')).toMatchObject({ code: 3, requestId: 1 })
  socket.send({ op: 'dance', requestId: { $ne: 1 } })
  expect(await socket.next('error')).toMatchObject({ code: 3, requestId: null })
  socket.send({ op: 'connect', applicationId: server.appId })
  await socket.next('connected')
  for (const query of [undefined, [], { className: 1 }, { className: 'A', where: [] }, { className: 'A', keys: [1] }]) {
    socket.send({ op: 'subscribe', requestId: 1, query })
    expect(await socket.next('error')).toMatchObject({ code: 1, requestId: 1 })
  }
  for (const more of [{ limit: 3 }, { query: { className: 'A', where: {}, order: 'a' } }]) {
    socket.send({ op: 'subscribe', requestId: 1, query: { className: 'A', where: {} }, ...more })
    expect(await socket.next('error')).toMatchObject({
      code: 1,
      reason: 'invalidJson',
      requestId: null,
      reconnect: true,
    })
  }
  socket.send({ op: 'subscribe', requestId: 1, query: { className: 'A', where: {} } })
  expect(await socket.next('subscribed')).toMatchObject({ requestId: 1 })
  socket.send('{"op":"subscribe","requestId":1,"query":{"className":"A","where":{"__proto__":{"a":1}}}}')
  expect(await socket.next('error')).toMatchObject({ code: 105, requestId: 1 })
  socket.send({ op: 'unsubscribe', requestId: 9 })
  expect(await socket.next('error')).toMatchObject({ code: 2, requestId: 9 })
  expect(await socket.subscribe(1, { className: 'A' })).toMatchObject({ op: 'subscribed' })
})

test('a message that is too large closes its socket alone', async () => {
  const [loud, calm] = [await open(), await open()]
  loud.send({ op: 'subscribe', requestId: 1, query: { className: 'A', where: { a: 'x'.repeat(200_000) } } })
  expect(await loud.closed).toBe(1009)
  expect(await calm.subscribe(1, { className: 'A' })).toMatchObject({ op: 'subscribed' })
})

test('paths other than the root and those under the mount are no sockets', async () => {
  await expect(openLiveSocket({ ...server, serverUrl: `${server.url}/profile` })).rejects.toThrow('404')
  const root = await openLiveSocket({ ...server, serverUrl: server.url })
  opened.push(root)
  expect(root.frames[0]).toMatchObject({ op: 'connected' })
  expect((await open({ path: '/any/where?a=b' })).frames[0]).toMatchObject({ op: 'connected' })
})

test('P6: a page of another site does not get the session of the cookie (cross-site WebSocket hijacking)', async () => {
  const ann = await server.signUp('hijacked')
  const id = await make('Diary', { ACL: { [ann.objectId]: { read: true, write: true } } }, { token: ann.token })
  const cookie = `countersign=${encodeURIComponent(ann.token)}`
  const origins = [server.url, 'https://evil.example', 'null', undefined]
  const sockets = await Promise.all(
    origins.map((origin) => open({ headers: { cookie, ...(origin !== undefined && { origin }) } })),
  )
  for (const socket of sockets) await socket.subscribe(1, { className: 'Diary' })
  await change('Diary', id, { text: 'secret' }, { token: ann.token })
  expect(await sockets[0]?.next('update')).toMatchObject({ object: { text: 'secret' } })
  await make('Diary', { text: 'for all' })
  for (const socket of sockets) await socket.next('create')
  expect(sockets.map(({ frames }) => frames.filter(({ op }) => op === 'update').length)).toEqual([1, 0, 0, 0])
})

test('P6: keys are checked on connect as everywhere else', async () => {
  const foreign = await open({ connect: { applicationId: 'another' } })
  expect(foreign.frames[0]).toMatchObject({
    op: 'error',
    code: 4,
    error: 'Key in request is not valid',
    requestId: null,
  })
  expect(await foreign.closed).toBe(1008)
  const first = async (connect: object) => (await visit({ connect })).frames[0]?.op
  expect(await first({ javascriptKey: undefined })).toBe('error')
  expect(await first({ javascriptKey: 'wrong' })).toBe('error')
  expect(await first({ javascriptKey: 'js' })).toBe('connected')
  expect(await first({ javascriptKey: undefined, clientKey: 'client' })).toBe('connected')
  // The master key from an address that may not use it.
  expect(await first({ masterKey: strict.masterKey })).toBe('error')
})

test('limits: subscriptions of a socket, sockets of a user and of an address, and time to connect', async () => {
  const user = { username: 'ann', password: 'a secret' }
  const { body } = await strict.call('POST', '/users', user, { headers: { 'X-Parse-Javascript-Key': 'js' } })
  const sessionToken = body.sessionToken
  const socket = await visit({ connect: { sessionToken } })
  expect(await socket.subscribe(1, { className: 'Open' })).toMatchObject({ op: 'subscribed' })
  expect(await socket.subscribe(2, { className: 'Open' })).toMatchObject({ op: 'subscribed' })
  expect(await socket.subscribe(3, { className: 'Open' })).toMatchObject({ op: 'error', code: 155, requestId: 3 })
  expect(await socket.subscribe(2, { className: 'Open' })).toMatchObject({ op: 'subscribed' })
  const shut = await socket.subscribe(1, { className: 'Shut' })
  expect(shut).toMatchObject({ op: 'error', code: 119 })
  expect(shut.error).toContain('liveQuery.classNames')
  const second = await visit({ connect: { sessionToken } })
  expect(await second.subscribe(1, { className: 'Open' })).toMatchObject({ op: 'error', code: 155 })
  const headers = { 'X-Forwarded-For': '203.0.113.7' }
  await visit({ headers })
  await visit({ headers })
  await expect(visit({ headers })).rejects.toThrow('429')
  const from = (address: string) => visit({ headers: { 'X-Forwarded-For': address } })
  await from('2001:db8::1')
  await from('2001:db8::2')
  await expect(from('2001:db8::3')).rejects.toThrow('429')
  expect(await (await visit({ silent: true })).closed).toBe(1008)
})

test('drops silent clients, keeps the others and sends positions; a stop disconnects all', async () => {
  const deaf = await visit({})
  const alive = await visit({ connect: { features: ['positions'] } })
  // The package itself responds to pings; a paused connection does not.
  deaf.socket.pause()
  expect(await alive.subscribe(1, { className: 'Open' })).toMatchObject({ position: expect.any(String) })
  expect(await alive.next('position')).toMatchObject({ position: expect.any(String) })
  const start = Date.now()
  const { stats } = strict.live
  while (stats.sockets > 1 && Date.now() - start < 20_000) await new Promise((done) => setTimeout(done, 20))
  expect(stats).toMatchObject({ sockets: 1, subscriptions: 1 })
  expect(alive.socket.readyState).toBe(alive.socket.OPEN)
  await strict.stop()
  expect(await alive.closed).toBe(1001)
})
